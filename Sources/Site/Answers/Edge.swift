internal import AuthFlow
internal import Foundation
public import HTTPExchange
internal import HTTPTypes
public import Pages

/// Why a body is no form.
enum FormFault: Error, Hashable, Sendable {
  case unsupportedContentType, malformed
}

extension Site {
  func newReference() -> String {
    surroundings.random(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  func newVisitID() -> String { Data(surroundings.random(16)).base64URL }

  /// The world that is meant, or nil where it is named by something that is no name.
  func world(of request: Request) -> WorldName? {
    guard fronts.hasWorlds else { return .main }
    return try? WorldName(namedBy: request)
  }

  /// Files and the two questions of a supervisor: no visit, no page.
  func plainAnswer(to request: Request) async -> Response? {
    let isRead = request.method == .get || request.method == .head
    if let asset = assets.asset(at: request.path) {
      guard isRead else {
        return methodNotAllowed([.get, .head], for: request, reference: newReference())
      }
      var fields: HTTPFields = [.eTag: asset.entityTag, .cacheControl: "no-cache"]
      if request.headerFields[.ifNoneMatch] == asset.entityTag {
        return Response(status: .notModified, headerFields: headers.added(to: fields))
      }
      fields[.contentType] = asset.contentType
      return Response(status: .ok, headerFields: headers.added(to: fields), body: asset.bytes)
    }
    guard request.path == "/healthz" || request.path == "/readyz" else { return nil }
    guard isRead else {
      return methodNotAllowed([.get, .head], for: request, reference: newReference())
    }
    let reason = request.path == "/readyz" ? await surroundings.notReady() : nil
    return Response(
      status: reason == nil ? .ok : .serviceUnavailable,
      headerFields: headers.added(to: [.contentType: "text/plain; charset=utf-8"]),
      body: Array((reason ?? "ok").utf8)
    )
  }

  func decodedForm(of request: Request) -> Result<Form, FormFault> {
    guard request.method == .post else { return .success(Form()) }
    let type = request.headerFields[.contentType]?.split(separator: ";").first ?? ""
    guard
      type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
    else { return .failure(.unsupportedContentType) }
    guard let form = try? Form(decoding: request.body) else { return .failure(.malformed) }
    let names = form.fields.map(\.name)
    // Two values for one field: which one was meant is nobody's to guess.
    return Set(names).count == names.count ? .success(form) : .failure(.malformed)
  }

  func methodNotAllowed(
    _ methods: [HTTPRequest.Method],
    for request: Request,
    reference: String
  ) -> Response {
    var response = errorPage(405, .methodNotAllowed, for: request, reference: reference)
    response.headerFields[.allow] = methods.map(\.rawValue).joined(separator: ", ")
    return response
  }

  /// A complete page for what the server refuses before any handler is asked.
  ///
  /// - Parameters:
  ///   - status: The status that the page is about.
  ///   - refusal: Why.
  ///   - request: What is known of the request; nil where it could not be read.
  /// - Returns: The page, without a cookie.
  public func page(status: Int, refusal: Refusal, for request: Request?) -> Response {
    errorPage(
      status,
      refusal,
      for: request ?? Request(method: .get, target: "/"),
      reference: newReference()
    )
  }

  func errorPage(
    _ status: Int,
    _ refusal: Refusal,
    for request: Request,
    reference: String
  ) -> Response {
    let world = world(of: request) ?? .main
    let front = try? fronts.front(of: world)
    let frame = PageFrame(
      emulation: front?.emulation,
      reference: reference,
      now: front?.clock.now ?? surroundings.machineNow(),
      timeZone: timeZones.zone(toldBy: request)
    ) { _ in "" }
    return rendered(
      ErrorPage(status: status, refusal: refusal),
      in: frame,
      status: status,
      as: Rendering(preferredBy: request)
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
