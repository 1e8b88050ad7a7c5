import Testing
import VestibuleTesting

/// An error of the service, at the call behind a page, and where it is shown.
struct EntraErrorRow: Sendable, CustomTestStringConvertible {
  /// Where a row is shown, and with which code.
  enum Place: Sendable {
    case field(String, String)
    case banner(String)
    case notice(String)
    /// No error is shown: another page follows.
    case nothing
  }

  var call: String
  var body: String
  var status: Int
  var path: String
  var place: Place
  var testDescription: String { "\(call) \(body)" }

  init(_ call: String, _ body: String, _ status: Int, _ path: String, _ place: Place) {
    self.call = call
    self.body = body
    self.status = status
    self.path = path
    self.place = place
  }

  static func error(_ word: String, _ codes: Int...) -> String {
    let codes = codes.map(String.init).joined(separator: ",")
    return """
      {"error": "\(word)", "error_codes": [\(codes)],
       "error_description": "AADSTS1: words for developers"}
      """
  }

  static func sub(_ word: String, _ suberror: String, _ codes: Int...) -> String {
    let codes = codes.map(String.init).joined(separator: ",")
    return """
      {"error": "\(word)", "suberror": "\(suberror)", "error_codes": [\(codes)],
       "error_description": "AADSTS1: words for developers"}
      """
  }

  static let redirect = #"{"challenge_type": "redirect", "redirect_reason": "A reason"}"#
  static let passwordSuberrors = [
    "password_too_weak", "password_too_short", "password_too_long", "password_recently_used",
    "password_banned", "password_is_invalid",
  ]
  static let badUsername = """
    {"error": "invalid_request", "error_codes": [90100],
     "error_description": "AADSTS90100: username parameter is empty or not valid."}
    """
  static let badClient = """
    {"error": "invalid_request", "error_codes": [90100],
     "error_description": "AADSTS90100: client_id parameter is empty or not valid."}
    """
}
