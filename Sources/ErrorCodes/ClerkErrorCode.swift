/// An error in the catalogue of Clerk's Frontend API.
///
/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
package struct ClerkErrorCode: Sendable, Hashable {
  package var code: String
  package var status: Int
  /// The parameter that the API names with it; nil if it names none, or any.
  package var parameter: String?
  /// Its meaning, as in `long_message`.
  package var meaning: String

  init(_ code: String, _ status: Int, at parameter: String? = nil, _ meaning: String) {
    self.code = code
    self.status = status
    self.parameter = parameter
    self.meaning = meaning
  }

  /// The whole catalogue, in its order.
  package static let listed =
    formFields + passwords + attempts + verifications + access + authentication + organizations
}
