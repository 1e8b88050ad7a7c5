internal import HTTPExchange
internal import HTTPTypes

extension Request {
  var isForBackstageAPI: Bool { path.hasPrefix("/backstage/api/") }
  var isForBackstage: Bool { path == "/backstage" || path.hasPrefix("/backstage/") }

  /// The same, wanting JSON where only programs ask: the twin of a page that refuses them has what every
  /// refusal of backstage has.
  var withImpliedAccept: Request {
    guard isForBackstageAPI else { return self }
    var request = self
    request.headerFields[.accept] = "application/json"
    return request
  }
}
