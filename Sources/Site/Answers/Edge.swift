internal import AuthFlow
internal import Foundation
public import HTTPExchange
internal import HTTPTypes
public import Pages

/// What stands behind an address.
enum Destination: Sendable {
  /// A static file: no visit, no page.
  case file(Assets.Asset)
  /// The two questions of a supervisor.
  case liveness, readiness
  case page(Route, WorldName)
}

/// A request that reaches no flow: the page that says why.
struct TurnedAway: Error, Sendable {
  var status: Int
  var refusal: Refusal
  /// The methods that would have been right, for a 405.
  var allowed: [HTTPRequest.Method]?

  init(_ status: Int, _ refusal: Refusal, allowed: [HTTPRequest.Method]? = nil) {
    self.status = status
    self.refusal = refusal
    self.allowed = allowed
  }
}

extension Site {
  /// How long a form may be (S4); what a server lets in beyond it is refused all the same.
  static let bodyLimitBytes = 64 * 1024

  func newReference() -> String {
    surroundings.random(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  func newVisitID() -> String { Base64URL.text(of: surroundings.random(16)) }

  /// The world that is meant, or nil where it is named by something that is no name.
  func world(of request: Request) -> WorldName? {
    guard fronts.hasWorlds else { return .main }
    return try? WorldName(namedBy: request)
  }

  /// Where a request goes, by its address and method alone.
  ///
  /// - Throws: `TurnedAway` with 400 for a host or a world that is not served here, 404, or 405.
  func destination(of request: Request) throws(TurnedAway) -> Destination {
    guard configuration.hosts.admits(request), request.target.hasPrefix("/"),
      let world = world(of: request)
    else { throw TurnedAway(400, .badRequest) }
    let destination: Destination
    var methods: [HTTPRequest.Method] = [.get, .head]
    switch request.path {
    case "/healthz": destination = .liveness
    case "/readyz": destination = .readiness
    case let path:
      if let asset = assets.asset(at: path) {
        destination = .file(asset)
      } else if let route = Route(path: path) {
        destination = .page(route, world)
        methods = route.methods
      } else {
        throw TurnedAway(404, .notFound)
      }
    }
    guard methods.contains(request.method) else {
      throw TurnedAway(405, .methodNotAllowed, allowed: methods)
    }
    return destination
  }

  /// The fields that were posted; none for a request that only reads.
  ///
  /// - Throws: `TurnedAway` with 413, 415, or 400 for what is no form.
  func form(of request: Request) throws(TurnedAway) -> Form {
    guard request.method == .post else { return Form() }
    guard request.body.count <= Self.bodyLimitBytes else { throw TurnedAway(413, .bodyTooLarge) }
    let type = request.headerFields[.contentType]?.split(separator: ";").first ?? ""
    guard
      type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
    else { throw TurnedAway(415, .unsupportedContentType) }
    guard let form = try? Form(decoding: request.body) else {
      throw TurnedAway(400, .malformedForm)
    }
    // Two values for one field: which one was meant is nobody's to guess.
    guard Set(form.fields.map(\.name)).count == form.fields.count else {
      throw TurnedAway(400, .malformedForm)
    }
    return form
  }

  /// - Throws: `TurnedAway` with 503 where the world cannot be opened.
  func front(of world: WorldName, for request: Request) throws(TurnedAway) -> Front {
    do {
      return try fronts.front(of: world, links: linkAddresses(for: request))
    } catch {
      throw TurnedAway(503, .serviceUnavailable)
    }
  }

  func file(_ asset: Assets.Asset, for request: Request) -> Response {
    var fields: HTTPFields = [.eTag: asset.entityTag, .cacheControl: "no-cache"]
    if Self.tags(ofThoseKeptBy: request).contains(where: { $0 == asset.entityTag || $0 == "*" }) {
      return Response(status: .notModified, headerFields: headers.added(to: fields))
    }
    fields[.contentType] = asset.contentType
    return Response(status: .ok, headerFields: headers.added(to: fields), body: asset.bytes)
  }

  /// The versions of a file that the client has; a weak tag is as good as a strong one here.
  ///
  /// Source: RFC 9110, section 13.1.2.
  private static func tags(ofThoseKeptBy request: Request) -> [String] {
    request.headerFields[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.map { tag in
      let tag = tag.trimmingCharacters(in: .whitespaces)
      return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
  }

  func plain(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status,
      headerFields: headers.added(to: [.contentType: "text/plain; charset=utf-8"]),
      body: Array(text.utf8)
    )
  }

  /// A complete answer to what the server refuses before any handler is asked.
  ///
  /// What is wrong with the address or the method is said before what is wrong with the body: the
  /// order of R3 holds here too.
  /// - Parameters:
  ///   - refusal: Why.
  ///   - status: The status that the page is about.
  ///   - request: What is known of the request; nil where it could not be read.
  /// - Returns: The page, without a cookie.
  public func refuse(_ refusal: Refusal, status: Int, _ request: Request?) -> Response {
    var turned = TurnedAway(status, refusal)
    if let request {
      do {
        let destination = try destination(of: request)
        if case .readiness = destination, refusal == .stopping {
          return plain(.serviceUnavailable, "stopping")
        }
      } catch {
        turned = error
      }
    }
    return errorPage(
      turned,
      for: request ?? Request(method: .get, target: "/"),
      reference: newReference()
    )
  }

  /// An answer of a neighbour on the same port, with the header fields of every page (S8).
  public func secured(_ response: Response) -> Response {
    var response = response
    response.headerFields = headers.added(to: response.headerFields)
    return response
  }

  func errorPage(
    _ turned: TurnedAway,
    for request: Request,
    reference: String
  ) -> Response {
    events.turnedAway(turned.refusal, reference: reference)
    let links = linkAddresses(for: request)
    let front = world(of: request).flatMap { try? fronts.front(of: $0, links: links) }
    let instance = front?.provider.lastKnownInstance ?? .unknown
    let frame = PageFrame(
      applicationName: instance.applicationName,
      emulation: front?.emulation,
      supportAddress: instance.supportAddress,
      reference: reference,
      now: front?.clock.now ?? surroundings.machineNow(),
      timeZone: timeZones.zone(toldBy: request)
    ) { _ in "" }
    var fields = HTTPFields()
    if let allowed = turned.allowed {
      fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
    }
    return rendered(
      ErrorPage(status: turned.status, refusal: turned.refusal),
      in: frame,
      status: turned.status,
      as: Rendering(preferredBy: request),
      fields: fields
    )
  }

  func rendered(
    _ page: any Page,
    in frame: PageFrame,
    status: Int,
    as rendering: Rendering,
    fields own: HTTPFields = [:]
  ) -> Response {
    var fields = own
    fields[.contentType] =
      switch rendering {
      case .html: "text/html; charset=utf-8"
      case .json: "application/json; charset=utf-8"
      }
    fields[.vary] = "Accept"
    let body =
      switch rendering {
      case .html: renderer.html(page, in: frame)
      case .json: renderer.json(page, in: frame)
      }
    return Response(
      status: HTTPResponse.Status(code: status),
      headerFields: headers.added(to: fields),
      body: body
    )
  }
}
