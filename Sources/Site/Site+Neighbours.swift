internal import AuthFlow
public import Foundation
public import HTTPExchange
internal import HTTPTypes
public import Localization
public import Pages

/// What the server and the other handlers on the same port ask of the site.
extension Site {
  /// The complete answer to a request that the server refuses before any handler is asked.
  ///
  /// A wrong address or method is reported before a wrong body: the order of R3 holds here too.
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - status: The status that the page is about.
  ///   - request: What is known about the request; nil where it could not be read.
  /// - Returns: The page, without a cookie.
  public func refuse(_ refusal: SiteRefusal, status: Int, _ request: Request?) -> Response {
    var refused = EdgeRefusal(status, refusal)
    // Of a malformed head, not even the host is believed.
    if let request, request.headerFields[.host] != nil {
      do {
        let destination = try edge.destination(of: request)
        if case .readiness = destination, refusal == .stopping {
          return responder.plain(.serviceUnavailable, "stopping")
        }
      } catch {
        refused = error
      }
    }
    return errorPage(refused, for: request ?? Request(method: .get, target: "/"), newReference())
  }

  /// The answer of another handler on the same port, with the header fields of every page (S8).
  public func secured(_ response: Response) -> Response {
    var response = response
    response.headerFields = responder.headers.added(to: response.headerFields)
    return response
  }

  /// Whether a form was sent from a page of ours, as far as the browser tells (S14).
  public func isFromOwnPage(_ request: Request) -> Bool { gate.origins.admits(request) }

  /// The pages that are due in a request's visit; none where nothing is under way.
  public func places(of request: Request) -> [Address] { visit(of: request)?.places ?? [] }

  /// Runs `body` as a rehearsal, without a visitor: no event is logged or counted, and pages leave
  /// times open.
  public static func rehearsing<Value>(_ body: () async -> Value) async -> Value {
    await Rehearsal.$isOn.withValue(true, operation: body)
  }

  /// The id by which page reports name a request's visit; nil where nothing is under way.
  public func visitName(of request: Request) -> String? { visit(of: request)?.id }

  private func visit(of request: Request) -> Visit? {
    guard let name = edge.world(of: request),
      let world = worlds.opened(name, links: linkAddresses(for: request)),
      case .live(let visit) = visits.open(
        from: request,
        world: name,
        machineNow: environment.machineNow(),
        worldNow: world.clock.now
      )
    else { return nil }
    return visit
  }

  /// The host and port that people type, as `Host` names them.
  public var ownHost: String {
    String(configuration.publicOrigin.split(separator: "//", maxSplits: 1).last ?? "")
  }

  /// The `Set-Cookie` values that end a request's visit, by the names of its cookies.
  public func endOfVisit(of request: Request) -> [String: String] {
    let dropped = visits.cookies(droppingThoseIn: request)
    return Dictionary(uniqueKeysWithValues: dropped.map { ($0.name, $0.headerValue) })
  }

  /// The language in which a request's reader gets the pages.
  public func language(of request: Request) -> LanguageTag {
    responder.languages.language(of: request)
  }

  /// The reader's time zone; nil where no script has reported it yet.
  public func timeZone(of request: Request) -> TimeZone? {
    responder.timeZones.zone(toldBy: request)
  }
}
