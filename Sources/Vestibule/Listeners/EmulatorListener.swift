internal import Backstage
internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Logging
internal import MicroHTTPServer

/// The emulator's own port: the emulated API, and backstage's JSON.
struct EmulatorListener: HTTPHandler {
  let api: EmulatedAuthAPI
  let emulator: any HTTPHandler
  let backstage: any HTTPHandler
  let backstageGuard: BackstageGuard
  let hosts: HostPolicy
  /// Which web pages may call the emulated API, besides its own.
  let origins: BrowserOrigins
  let ownOrigins: OwnOrigins
  /// The origin that people type; nil if requests name it themselves.
  let publicOrigin: WebOrigin?
  let trustedProxies: [IPAddress]
  let meter: Meter?
  let logger: Logger

  func respond(to request: Request) async -> Response {
    guard hosts.admits(request) else {
      meter?.count(.host)
      logger.turnedAway("host_invalid", at: "emulator", host: request.onlyHost)
      return api.refusal(.badRequest, "host_invalid", HostPolicy.refusal, request)
    }
    if request.isForBackstageAPI { return await backstage.respond(to: request) }
    let isOwn = ownOrigins.admit(request) && !request.isPartOfForeignPage
    guard isOwn || origins.admit(request) else {
      meter?.count(.forgery)
      logger.turnedAway("origin_invalid", at: "emulator", host: request.onlyHost)
      return api.refusal(.badRequest, "origin_invalid", BrowserOrigins.refusal, request)
    }
    if request.namedWorld == nil {
      // The API answers that itself.
      meter?.count(.world)
      logger.turnedAway("invalid_world", at: "emulator")
    }
    var asked = request
    asked.publicOrigin = publicOrigin(of: request)
    let response = await emulator.respond(to: asked)
    if response.deliveryFailure == .timeout {
      // Sleeps until the server's deadline cancels it; no client of the API waits so long.
      try? await Task.sleep(for: .seconds(600))
    }
    return response
  }

  /// The origin for documents and links to name; a host that names a world is kept.
  private func publicOrigin(of request: Request) -> String? {
    guard let host = request.headerFields[.host]?.lowercased() else { return nil }
    if let publicOrigin, WorldName.label(inHost: host) == nil { return publicOrigin.description }
    return request.forwardedScheme(trusting: trustedProxies).map { "\($0)://\(host)" }
  }

  /// A higher body limit, for requests that may call backstage.
  @Sendable func spooledBodyLimitBytes(of request: Request) -> Int? {
    guard let limitBytes = backstageGuard.bodyLimitBytes(of: request), hosts.admits(request) else {
      return nil
    }
    return limitBytes
  }

  /// The answer to a refusal of the server's own.
  @Sendable func refuse(_ refusal: MicroHTTPServer.Refusal, _ request: Request?) -> Response {
    // This refusal is logged under the reference that its answer names.
    if let request, request.isForBackstageAPI, hosts.admits(request),
      let answer = backstageGuard.refusalOfLongBody(refusal.status, of: request)
    {
      return answer
    }
    logger.turnedAway(refusal.code, at: "emulator")
    if request?.isForBackstageAPI == true { return BackstageAPI.refusal(refusal.status) }
    return api.refusal(refusal.status, refusal.code, refusal.status.reasonPhrase, request)
  }
}

extension HostPolicy {
  /// The words for a request by a host that is not served, on ports without pages.
  static var refusal: String { "This host is not served here: --allow-host adds one." }
}
