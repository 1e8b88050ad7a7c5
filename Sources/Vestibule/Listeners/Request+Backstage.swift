internal import HTTPExchange
internal import HTTPTypes

extension Request {
  var isForBackstageAPI: Bool { path.hasPrefix("/backstage/api/") }
  var isForBackstage: Bool { path == "/backstage" || path.hasPrefix("/backstage/") }

  /// The same request, but asking for JSON if only programs send it: the JSON twin of a page that refuses them has
  /// the format of all of backstage's refusals.
  var withImpliedAccept: Request {
    guard isForBackstageAPI else { return self }
    var request = self
    request.headerFields[.accept] = "application/json"
    return request
  }
}
