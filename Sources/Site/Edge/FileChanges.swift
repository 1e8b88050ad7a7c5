internal import Assets
internal import HTTPExchange
internal import HTTPTypes

/// What the script of a page asks whose maker is at work: whether files have changed since it was made.
struct FileChanges: Sendable {
  static let path = "/reload"
  /// How long a question is kept open.
  static let patience = Duration.seconds(10)

  let watch: FileWatch

  /// 200 once something has changed, 204 where nothing has in that time, 503 where too many ask.
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
