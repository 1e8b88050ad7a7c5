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
  /// Asked by the head alone, for which backstage need not be made.
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

  /// The pages' alone: none of them is at an address of backstage, or a form that a story fills in.
  func readyAnswer(to request: Request) -> ReadyAnswer? {
    guard let answer = site.readyAnswer(to: request) else { return nil }
    return { PageRequest.tracing(request, answer) }
  }

  /// How long the body of a request may be, where that is more than usual: for who may call backstage, where there
  /// is one.
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

  /// The page for what the server refuses itself; JSON where only programs ask.
  ///
  /// Backstage's own where it is made by now: for a page of it that nobody has opened yet, the site's will do.
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
