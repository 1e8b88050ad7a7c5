internal import Backstage
internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import MicroHTTPServer
internal import Pages
internal import Site

/// The pages' port: the pages, and backstage while the auth API is emulated.
struct PagesListener: HTTPHandler {
  let site: Site
  let hosts: HostPolicy
  let backstage: BackstageOnDemand?
  /// Judges a request by its head alone, so that backstage need not be made for it.
  let backstageGuard: BackstageGuard

  func respond(to request: Request) async -> Response {
    guard let backstage, hosts.admits(request) else { return await pages(request) }
    do {
      if request.isForBackstage {
        return site.secured(try await backstage.listener().respond(to: request))
      }
      guard Stories.fills(request), site.isFromOwnPage(request) else { return await pages(request) }
      return await pages(try backstage.listener().stories.filled(request))
    } catch {
      return site.refuse(.internalError, status: 500, request.withImpliedAccept)
    }
  }

  /// Only the site has ready answers: none is at an address of backstage, or to a form that a story fills in.
  func readyAnswer(to request: Request) -> ReadyAnswer? {
    guard let answer = site.readyAnswer(to: request) else { return nil }
    return { PageRequest.tracing(request, answer) }
  }

  /// A higher body limit, for requests that may call backstage, if there is one.
  @Sendable func spooledBodyLimitBytes(of request: Request) -> Int? {
    guard backstage != nil, let limitBytes = backstageGuard.bodyLimitBytes(of: request),
      hosts.admits(request)
    else { return nil }
    return limitBytes
  }

  private func pages(_ request: Request) async -> Response {
    let request = request.withImpliedAccept
    return await PageRequest.tracing(request) { await site.respond(to: request) }
  }

  /// The page for a refusal of the server's own, or JSON where only programs ask.
  ///
  /// Backstage renders its own once it has been made; before that, the site's page has to do.
  @Sendable func refuse(_ refusal: MicroHTTPServer.Refusal, _ request: Request?) -> Response {
    if let backstage, let request, hosts.admits(request), request.isForBackstage {
      if request.isForBackstageAPI {
        return site.secured(backstageGuard.refusal(refusal.status, of: request))
      }
      if let made = backstage.made { return site.secured(made.refusal(refusal.status, request)) }
    }
    return site.refuse(refusal.pageRefusal, status: refusal.status.code, request?.withImpliedAccept)
  }
}
