/// An error of Clerk's Frontend API, as its catalogue has it.
///
/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
package struct ClerkErrorCode: Sendable, Hashable {
  package var code: String
  package var status: Int
  /// Which parameter the API names with it; nil where it names none, or any.
  package var parameter: String?
  /// What it means, as `long_message` says it.
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
