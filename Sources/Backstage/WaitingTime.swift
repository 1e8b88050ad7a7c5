public import HTTPExchange

extension BackstageAPI {
  /// How long a call may take beside what any handler may (S6): to wait for a message, to read or
  /// write a whole world, or to find out for the first time what the flows do.
  public static func waitingTime(of request: Request) -> Duration {
    if longPaths.contains(where: { $0 == request.path }) { return .seconds(120) }
    guard request.path == "/backstage/api/messages/latest",
      let seconds = request.queryParameters["wait"].flatMap(Double.init),
      (0...Double(BackstageContext.waitLimitSeconds)).contains(seconds)
    else { return .zero }
    return .seconds(seconds)
  }

  private static let longPaths = [
    "/backstage/api/export", "/backstage/api/import", "/backstage/api/reset",
    // These record what every account was like.
    "/backstage/api/recordings", WorkbenchTool.recordings.path,
    "/backstage/api/errors", WorkbenchTool.errors.path, WorkbenchTool.map.path,
  ]
}
