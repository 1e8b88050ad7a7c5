internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// A reader's choice in the address of a page, which a cookie keeps from then on.
struct Choice {
  /// A year: browsers keep no cookie for longer than 400 days.
  static let cookieAge = Duration.seconds(31_536_000)

  /// The address of the page without the choice.
  let location: String
  /// Nil where the choice does not exist.
  let cookie: SetCookie?

  /// - Parameters:
  ///   - parameter: The name of the choice in the query.
  ///   - request: The request for the page; its other parameters are kept, except for secrets.
  ///   - cookie: Makes the cookie that keeps the choice.
  init(of parameter: String, in request: Request, cookie: () -> SetCookie?) {
    let others = request.query.map { Self.others(of: $0, than: parameter) } ?? ""
    location = others.isEmpty ? String(request.path) : "\(request.path)?\(others)"
    self.cookie = cookie()
  }

  /// The value that a request for a page chooses; empty where it only names the choice, nil where
  /// it does not.
  static func value(of parameter: String, in request: Request) -> Substring? {
    guard request.method == .get || request.method == .head, let query = request.query else {
      return nil
    }
    return query.split(separator: "&").first { names($0, parameter) }
      .map { $0.drop { $0 != "=" }.dropFirst() }
  }

  /// Parameters that no page takes from an address, and none repeats (R9).
  ///
  /// `code` is not among them: identity providers send people back with it. `password_confirm` is
  /// how other forms name a password's second field.
  private static let secrets = [Field.password.name, "password_confirm"]

  /// The query without that choice and without secrets, encoded as it was.
  static func others(of query: Substring, than parameter: String) -> String {
    query.split(separator: "&")
      .filter { pair in !([parameter] + secrets).contains { names(pair, $0) } }
      .joined(separator: "&")
  }

  private static func names(_ pair: Substring, _ parameter: String) -> Bool {
    pair.prefix { $0 != "=" }.removingPercentEncoding == parameter
  }
}
