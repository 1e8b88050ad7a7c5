public import HTTPExchange

extension BackstageAPI {
  /// How long a call may take beside what any handler may (S6): to wait for a message, or to read or
  /// write a whole world.
  public static func waitingTime(of request: Request) -> Duration {
    if ["/backstage/api/export", "/backstage/api/import", "/backstage/api/reset"]
      .contains(request.path)
    {
      return .seconds(120)
    }
    guard request.path == "/backstage/api/messages/latest",
      let seconds = request.queryParameters["wait"].flatMap(Double.init),
      (0...BackstageContext.waitLimitSeconds).contains(seconds)
    else { return .zero }
    return .seconds(seconds)
  }
}
