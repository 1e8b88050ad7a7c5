internal import HTTPExchange
internal import HTTPTypes

/// How the pages tell that they are a demonstration, as somebody chose it by `?present`.
///
/// The pages keep it in a cookie of their host. Each world has a host of its own: a way to another carries it along.
enum PresenceChoice: String {
  case large = "on"
  case hidden = "off"

  static let parameter = "present"
  private static let cookieName = "vestibule_present"
  /// As long as the pages keep it: a year.
  private static let age = Duration.seconds(31_536_000)

  /// What was chosen at the host of a request; nil where all is as usual.
  init?(keptBy request: Request) {
    guard let choice = request.cookie(Self.cookieName).flatMap({ Self(rawValue: String($0)) })
    else { return nil }
    self = choice
  }

  /// The way to the same page, where what a way from another host carried along is kept; nil where none did.
  static func arrival(_ request: Request, isSecure: Bool) -> Response? {
    guard request.method == .get || request.method == .head,
      let choice = request.queryParameters[parameter].flatMap(Self.init)
    else { return nil }
    let others = FormData(request.queryParameters.fields.filter { $0.name != parameter })
    let query = others.fields.isEmpty ? "" : "?\(String(decoding: others.encoded, as: UTF8.self))"
    let cookie = SetCookie(
      name: cookieName,
      value: choice.rawValue,
      maximumAge: age,
      isSecure: isSecure
    )
    return Response.seeOther("\(request.path)\(query)", cookies: [cookie.headerValue])
  }
}
