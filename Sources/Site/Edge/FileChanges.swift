internal import Assets
internal import HTTPExchange
internal import HTTPTypes

/// Tells the script of a page under development whether files have changed since the page was made.
struct FileChanges: Sendable {
  static let path = "/reload"
  /// How long a request is held open.
  static let patience = Duration.seconds(10)

  let watch: FileWatch

  /// Answers 200 once something has changed, or without a valid `since`; 204 where nothing changes
  /// in that time; 503 where too many ask.
  func answer(to request: Request) async -> Response {
    guard let known = request.queryParameters["since"].flatMap(FileVersion.init) else {
      return Response(status: .ok)
    }
    do {
      let changed = try await watch.version(after: known, within: Self.patience)
      return Response(status: changed == nil ? .noContent : .ok)
    } catch {
      return Response(status: .serviceUnavailable, headerFields: [.retryAfter: "1"])
    }
  }
}
