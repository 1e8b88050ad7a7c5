internal import Assets
internal import HTTPExchange
internal import HTTPTypes

/// Tells the script of a page under development whether files have changed since the page was made.
struct FileChanges: Sendable {
  static let path = "/reload"
  /// How long a request is held open.
  static let patience = Duration.seconds(10)

  let watch: FileWatch

  /// Answers 200 with the new version once something has changed, or without a valid `since`; 204
  /// where nothing changes in that time; 503 where too many ask.
  func answer(to request: Request) async -> Response {
    guard let known = request.queryParameters["since"].flatMap(FileVersion.init) else {
      return Self.telling(watch.version)
    }
    do {
      let changed = try await watch.version(after: known, within: Self.patience)
      return changed.map(Self.telling) ?? Response(status: .noContent)
    } catch {
      return Response(status: .serviceUnavailable, headerFields: [.retryAfter: "1"])
    }
  }

  private static func telling(_ version: FileVersion) -> Response {
    Response(
      status: .ok,
      headerFields: [.contentType: "text/plain; charset=utf-8"],
      body: Array(version.description.utf8)
    )
  }
}
