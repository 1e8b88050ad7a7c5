internal import Foundation
internal import GRDB
public import HTTPExchange
internal import HTTPTypes

/// Microsoft Entra's native authentication, answered by accounts of our own.
///
/// Source: Microsoft, native authentication API reference, version 1.
public struct EntraEmulator: HTTPHandler {
  private let worlds: Worlds
  private let address: String
  private let signer: TokenSigner
  private let throttle = EntraThrottle()

  /// - Parameters:
  ///   - worlds: Where the accounts are.
  ///   - address: The origin that tokens name as their issuer where a request names no host.
  public init(worlds: Worlds, address: String) {
    self.worlds = worlds
    self.address = address
    signer = TokenSigner(worlds: worlds)
  }

  /// A refusal that no endpoint has made: a host that is not served, a body that is too large.
  public static func refusal(status: Int, _ text: String) -> Response {
    let trace = EntraTrace(Request(method: .get, target: "/"), random: .system, at: Date())
    let error = status < 500 ? "invalid_request" : "server_error"
    return EntraAnswer(EntraRefusal(error, nil, nil, text, status: status), trace).response
  }

  /// Whether a path is that of a page for people, as browsers are sent to; none of them needs a token.
  public static func isBrowserPage(_ path: some StringProtocol) -> Bool {
    let rest = path.dropFirst().drop { $0 != "/" }.dropFirst()
    guard let document = EntraDocument(rawValue: String(rest)) else { return false }
    return document == .authorize || document == .logout
  }

  public func respond(to request: Request) async -> Response {
    guard let world = try? await worlds.world(WorldName(namedBy: request)) else {
      let trace = EntraTrace(request, random: .system, at: Date())
      return EntraAnswer(.unknownWorld, trace).response
    }
    let trace = EntraTrace(request, random: world.random, at: world.clock.now)
    do {
      return try await answer(request, in: world, trace)
    } catch let refusal as EntraRefusal {
      return EntraAnswer(refusal, trace).response
    } catch {
      return EntraAnswer(EntraRefusal.unavailable, trace).response
    }
  }

  private func answer(
    _ request: Request,
    in world: World,
    _ trace: EntraTrace
  ) async throws -> Response {
    let path = request.path.dropFirst()
    let segment = path.prefix { $0 != "/" }
    let rest = String(path.dropFirst(segment.count + 1))
    let origin = origin(of: request)
    if request.path == OrdersAPI.path {
      let configuration = OpenIDConfiguration(tenant: .default, origin: origin)
      return try await OrdersAPI(signer: signer, configuration: configuration)
        .respond(to: request, at: Instant(world.clock.now))
    }
    if let route = EntraRoute(rawValue: rest) {
      guard let tenant = EntraTenant(pathSegment: segment) else {
        throw EntraRefusal.unknownTenant
      }
      guard request.method == .post else { throw EntraRefusal.methodNotAllowed("POST") }
      try throttle.admit(route, in: world)
      let call = try EntraCall(
        request,
        route: route,
        tenant: tenant,
        issuer: OpenIDConfiguration(tenant: tenant, origin: origin).issuer,
        trace: trace
      )
      return try await carryOut(call, in: world).response
    }
    guard let document = EntraDocument(rawValue: rest) else { throw EntraRefusal.notFound }
    guard let tenant = EntraTenant(pathSegment: segment) else { throw EntraRefusal.unknownTenant }
    let browser = BrowserSignIn(world: world, trace: trace)
    if document == .authorize, request.method == .post {
      return try await browser.submit(request)
    }
    guard [.get, .head].contains(request.method) else {
      throw EntraRefusal.methodNotAllowed("GET", "HEAD")
    }
    switch document {
    case .configuration:
      return EntraAnswer(OpenIDConfiguration(tenant: tenant, origin: origin).json, trace).response
    case .keys: return EntraAnswer(try await signer.publicKeys(), trace).response
    case .authorize: return browser.page(request)
    case .logout: return browser.signedOut()
    }
  }

  /// The origin that was asked, so that a world that is named by its host stays named.
  private func origin(of request: Request) -> String {
    let host = request.headerFields[.host] ?? ""
    let isHost = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
        true
      default: false
      }
    }
    return host.isEmpty || !isHost ? address : "http://\(host.lowercased())"
  }

  /// Runs the call until nothing interrupts it any more.
  private func carryOut(_ call: EntraCall, in world: World) async throws -> EntraAnswer {
    var progress = CallProgress()
    let signing = try await call.route == .token ? signer.prepared() : nil
    for _ in 0..<CallProgress.runLimit {
      let run = EntraRun(call: call, world: world, progress: progress, signing: signing)
      switch try await world.database.write({ db in try run.outcome(db) }) {
      case .answered(let answer, let hasWrittenMessage):
        if hasWrittenMessage { world.outbox.announce() }
        return answer
      case .interrupted(let interruption):
        try await progress.overcome(interruption, in: world)
      }
    }
    throw EntraRefusal.unavailable
  }
}
