internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// What a reader chose by the address of a page, which a cookie keeps from then on.
struct Choice {
  /// A year, as long as browsers keep anything.
  static let cookieAge = Duration.seconds(31_536_000)

  /// The page at which that was.
  let location: String
  /// Nil for a choice that is not there.
  let cookie: SetCookie?

  /// - Parameters:
  ///   - parameter: What the choice is called.
  ///   - request: Asks for the page; its other parameters stay as they are.
  ///   - cookie: Keeps the choice.
  init(of parameter: String, in request: Request, cookie: () -> SetCookie?) {
    let others = request.query.map { Self.others(of: $0, than: parameter) } ?? ""
    location = others.isEmpty ? String(request.path) : "\(request.path)?\(others)"
    self.cookie = cookie()
  }

  /// What a request for a page chooses; empty where it only names the choice, nil where it does not.
  static func value(of parameter: String, in request: Request) -> Substring? {
    guard request.method == .get || request.method == .head, let query = request.query else {
      return nil
    }
    return query.split(separator: "&").first { names($0, parameter) }
      .map { $0.drop { $0 != "=" }.dropFirst() }
  }

  /// What no page takes from an address, and none repeats (R9).
  ///
  /// A code is not among it: by that name an identity provider sends people back. Other forms call a password that
  /// is typed twice `password_confirm`.
  private static let secrets = [Field.password.name, "password_confirm"]

  /// The query without that choice and without secrets, encoded as it was.
  static func others(of query: Substring, than parameter: String) -> String {
    query.split(separator: "&")
      .filter { pair in !([parameter] + secrets).contains { names(pair, $0) } }
      .joined(separator: "&")
  }

  private static func names(_ pair: Substring, _ parameter: String) -> Bool {
    let name = pair.prefix { $0 != "=" }
    return name == parameter || name.removingPercentEncoding == parameter
  }
}
