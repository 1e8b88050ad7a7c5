internal import AuthFlow
internal import HTTPTypes
internal import Pages

/// What the site decides on; turned into bytes in one place.
enum Answer: Sendable {
  /// A page as it stands: 200, or the page's own status.
  case page(any Page, status: Int = 200)
  /// The same page again, because the auth API or the flow refused.
  case refused(any Page, AuthError)
  /// The same page again, because the site refused.
  case turnedAway(any Page, Refusal, status: Int)
  /// A text to keep, named as it is saved.
  case file(name: String, text: String)
  /// 303 to that address.
  case seeOther(String)
}

extension Answer {
  static func seeOther(_ route: Route) -> Answer { .seeOther(route.path) }
}
