/// The data that a sign-up has collected.
struct EntraSignUpDetails: Codable, Sendable, Hashable {
  /// Normalised.
  var address: String
  var password: PasswordHash?
  /// By the names of the API.
  var attributes: [String: String] = [:]
}
