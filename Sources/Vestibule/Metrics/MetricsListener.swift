internal import HTTPExchange
internal import HTTPTypes
internal import Logging
internal import Metrics
internal import MicroHTTPServer

/// The metrics port: `GET /metrics`, and nothing else.
struct MetricsListener: HTTPHandler {
  static let path = "/metrics"

  let meter: Meter
  let hosts: HostPolicy
  let logger: Logger

  func respond(to request: Request) async -> Response {
    guard hosts.admits(request) else {
      logger.turnedAway("host_invalid", at: "metrics", host: request.onlyHost)
      meter.count(.host)
      return Self.plain(.badRequest, HostPolicy.refusal)
    }
    guard request.path == Self.path else { return Self.plain(.notFound, "Not found: \(Self.path)") }
    guard [.get, .head].contains(request.method) else {
      var response = Self.plain(.methodNotAllowed, "GET")
      response.headerFields[.allow] = "GET, HEAD"
      return response
    }
    var response = Self.plain(.ok, await meter.text())
    response.headerFields[.contentType] = ExpositionText.contentType
    return response
  }

  @Sendable func refuse(_ refusal: MicroHTTPServer.Refusal, _ request: Request?) -> Response {
    logger.turnedAway(refusal.code, at: "metrics")
    return Self.plain(refusal.status, refusal.code)
  }

  private static func plain(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status,
      headerFields: [
        .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .xContentTypeOptions: "nosniff",
      ],
      body: Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
    )
  }
}

extension Configuration {
  /// The endpoint on the metrics port.
  func metricsEndpoint(
    at address: Address,
    telling meter: Meter,
    logger: Logger
  ) throws(StartFailure) -> Endpoint {
    let listener = MetricsListener(
      meter: meter,
      hosts: HostPolicy(
        port: address.port,
        defaultPort: tls == nil ? 80 : 443,
        authorities: try namedAuthorities(port: address.port)
          + publicAuthorities(port: address.port) + [address.written],
        admitsWorlds: false
      ),
      logger: logger
    )
    return Endpoint(
      name: Endpoint.metricsName,
      address: address,
      path: MetricsListener.path,
      handler: listener,
      refusing: listener.refuse
    )
  }

  /// The hosts that people type, at the metrics port and at their own (S2).
  private func publicAuthorities(port: Int) throws(StartFailure) -> [String] {
    let origins = [
      try publicURL.map { text throws(StartFailure) in try WebOrigin(text, as: "public URL") },
      try emulatorPublicOrigin(),
    ]
    return origins.compactMap(\.self).flatMap { origin in
      let here = WebOrigin(scheme: scheme, host: origin.host, port: port)
      return [origin.authority, origin.fullAuthority, here.authority, here.fullAuthority]
    }
  }
}
