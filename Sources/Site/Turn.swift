internal import AuthFlow
internal import HTTPTypes
internal import Foundation
internal import HTTPExchange
internal import Pages

/// One request being answered: what was asked, by whom, and what becomes of their visit.
struct Turn: Sendable {
  let request: Request
  let route: Route
  let form: Form
  let front: Front
  let rendering: Rendering
  /// What the error page and the log call this request.
  let reference: String
  /// By the world's clock, read once.
  let now: Date
  var visit: Visit
  /// What the page at hand has to tell, from the step before.
  var notices: [Notice] = []
  /// The same, where it is bad news.
  var news: AuthError?
  /// What the auth API has refused while this was answered.
  var refusals: [Reason] = []
  /// Whether the page at hand is shown from what is known already, without a call.
  var asksNothing = false

  var provider: any AuthProvider { front.provider }
  var signInFlow: SignInFlow { SignInFlow(provider: front.provider, clock: front.clock) }
  var signUpFlow: SignUpFlow { SignUpFlow(provider: front.provider, clock: front.clock) }
  var passwordResetFlow: PasswordResetFlow {
    PasswordResetFlow(provider: front.provider, clock: front.clock)
  }

  var sessionTaskFlow: SessionTaskFlow {
    SessionTaskFlow(provider: front.provider, clock: front.clock)
  }

  /// Tells something on the next page, whichever way the person gets there.
  mutating func tell(_ notices: [Notice], error: AuthError? = nil, on route: Route) {
    tell(notices, error: error, onPath: route.path)
  }

  mutating func tell(_ notices: [Notice], error: AuthError? = nil, onPath path: String) {
    visit.news =
      notices.isEmpty && error == nil ? nil : News(path: path, notices: notices, error: error)
  }

  /// Sends the person to where they stand, and says that they were elsewhere.
  mutating func movedOn() -> Answer {
    let place = visit.standing(in: route.flow)
    // That the attempt has ended, where that is why, is said beside it.
    let reason = visit.news?.path == place.path ? visit.news?.error : nil
    tell([.movedOn], error: reason, on: place)
    return .seeOther(place)
  }

  /// Sends the person to the sign-in page, and says why where there is not more to say already.
  mutating func signInFirst(_ notice: Notice?) -> Answer {
    if let notice, visit.news?.path != Route.signIn.path { tell([notice], on: .signIn) }
    return .seeOther(.signIn)
  }
}
