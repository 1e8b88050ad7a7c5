internal import HTTPExchange
internal import HTTPTypes

/// Whether a form was sent from a page of ours (S14).
///
/// `Origin` has to be the address that was asked or the public one; a client may leave it out.
/// Either way a browser's `Sec-Fetch-Site` must not tell of another site.
struct OriginGuard: Sendable {
  private let own: OwnOrigins

  init(publicOrigin: String) { own = OwnOrigins(publicOrigin) }

  func admits(_ request: Request) -> Bool {
    request.headerFields[values: .secFetchSite].allSatisfy { $0 == "same-origin" }
      && own.admit(request)
  }

  /// Whether a page of another site asks, which may have no world made: who loads pages as pictures,
  /// or sends forms, could have as many made as there is room for.
  func isForeign(_ request: Request) -> Bool {
    request.isPartOfForeignPage || !own.admit(request)
  }
}
