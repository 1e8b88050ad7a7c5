public import HTTPExchange

extension BackstageAPI {
  /// How long the call may wait for a message, beside what any handler may take (S6).
  public static func waitingTime(of request: Request) -> Duration {
    guard request.path == "/backstage/api/messages/latest",
      let seconds = request.queryParameters["wait"].flatMap(Double.init),
      (0...BackstageDesk.waitLimitSeconds).contains(seconds)
    else { return .zero }
    return .seconds(seconds)
  }
}
