internal import AuthFlow
public import Pages

extension PageExample {
  /// The status with which a page like this is answered (R3), by the rules of the site.
  public var status: Int {
    if let error = frame.error { return error.status(on: page.fields) }
    switch page {
    case let page as LockedPage: return page.isOver(at: Self.now) ? 200 : 403
    case is BlockedPage, is SignUpClosedPage: return 403
    case let page as LinkLandingPage: return page.refusal?.linkLandingStatus ?? 200
    case let page as ErrorPage: return page.status
    default: return frame.refusal == nil ? 200 : 403
    }
  }
}
