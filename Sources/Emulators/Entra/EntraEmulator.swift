public import Foundation
internal import GRDB
public import HTTPExchange
internal import HTTPTypes

/// An emulator of Microsoft Entra's native authentication API, with accounts of our own.
///
/// Source: Microsoft, native authentication API reference, version 1.
public struct EntraEmulator: HTTPHandler {
  private let engine: EmulatorEngine
  private let wire: EntraWire

  /// - Parameters:
  ///   - worlds: Where the accounts are.
  ///   - address: The origin that tokens name as their issuer if a request names no host.
  ///   - report: Receives unexpected errors.
  public init(worlds: Worlds, address: String, report: UnexpectedErrorReport = .none) {
    engine = EmulatorEngine(worlds: worlds, report: report)
    wire = EntraWire(address: address)
  }

  public func respond(to request: Request) async -> Response {
    await engine.respond(to: request, by: wire)
  }

  /// A refusal made before any endpoint is reached, such as of an unknown host or an oversized
  /// body.
  ///
  /// - Parameters:
  ///   - status: The status code of the answer.
  ///   - text: A sentence for developers.
  ///   - request: The refused request, whose id the answer echoes; nil if it could not be read.
  ///   - date: The time of the answer; not a world's time, since no world was reached.
  /// - Returns: The refusal, in the same format as every other.
  public static func refusal(
    status: Int,
    _ text: String,
    to request: Request? = nil,
    at date: Date
  ) -> Response {
    let request = request ?? Request(method: .get, target: "/")
    let trace = EntraTrace(request, random: .system, at: date)
    let error = status < 500 ? "invalid_request" : "server_error"
    return UnsignedResponse(EntraRefusal(error, nil, nil, text, status: status), trace).response
  }

  /// The emulated endpoints, by method and path; a segment in braces stands for any value.
  public static var operations: [String] {
    EntraRoute.allCases.map(\.rawValue) + EntraDocument.allCases.map(\.rawValue)
  }

  /// Whether a path is a page that browsers are sent to; none of these needs a token.
  public static func isBrowserPage(_ path: some StringProtocol) -> Bool {
    switch RouteTable<EntraDocument>().match(.get, path)?.operation {
    case .signInPage, .submitSignInPage, .signOutPage, .submitSignOut: true
    case .configuration, .keys, .readOrders, .placeOrder, nil: false
    }
  }
}

/// Reads the requests of native authentication.
struct EntraWire: EmulatedWire {
  /// Calls of one endpoint in ten seconds, while the instance has rate limits; our choice.
  private static let callLimit = 10

  let address: String
  private let routes = EntraRoute.table
  private let documents = RouteTable<EntraDocument>()

  init(address: String) { self.address = address }

  func respond(
    to request: Request,
    _ trace: EntraTrace,
    by runner: CallRunner
  ) async throws -> Response {
    let origin = AskedOrigin(of: request, servedAt: address).text
    let method = request.method == .head ? .get : request.method
    if let match = routes.match(method, request.path) {
      let tenant = try tenant(of: request)
      try refuseIfTooFrequent(match.operation, in: runner.world)
      let issuer = OpenIDConfiguration(tenant: tenant, origin: origin).issuer
      return try await runner.response(
        to: EntraCall(request, route: match.operation, tenant, issuer: issuer, trace: trace)
      )
    }
    guard let match = documents.match(method, request.path) else {
      throw try refusalOfUnknown(request)
    }
    return try await respond(with: match.operation, to: request, at: origin, trace, runner)
  }

  private func respond(
    with document: EntraDocument,
    to request: Request,
    at origin: String,
    _ trace: EntraTrace,
    _ runner: CallRunner
  ) async throws -> Response {
    switch document {
    case .configuration:
      let tenant = try tenant(of: request)
      return UnsignedResponse(OpenIDConfiguration(tenant: tenant, origin: origin).json, trace)
        .response
    case .keys:
      _ = try tenant(of: request)
      return UnsignedResponse(try await runner.signer.key().publicKeys(), trace).response
    case .signInPage:
      return try browser(request, trace, runner).page(request)
    case .submitSignInPage:
      return try await browser(request, trace, runner).submit(request)
    case .signOutPage, .submitSignOut:
      return try browser(request, trace, runner).signedOut(request)
    case .readOrders:
      return try await orders(at: origin, runner).list(request)
    case .placeOrder:
      return try await orders(at: origin, runner).place(request)
    }
  }

  private func browser(
    _ request: Request,
    _ trace: EntraTrace,
    _ runner: CallRunner
  ) throws -> BrowserSignIn {
    _ = try tenant(of: request)
    return BrowserSignIn(world: runner.world, for: request, trace)
  }

  private func orders(at origin: String, _ runner: CallRunner) async throws -> OrdersAPI {
    OrdersAPI(
      key: try await runner.signer.key(),
      now: EpochMilliseconds(runner.world.clock.now),
      configuration: OpenIDConfiguration(tenant: .default, origin: origin)
    )
  }

  private func tenant(of request: Request) throws(EntraRefusal) -> EntraTenant {
    let segment = request.path.dropFirst().prefix { $0 != "/" }
    guard let tenant = EntraTenant(pathSegment: segment) else { throw .unknownTenant }
    return tenant
  }

  private func refusalOfUnknown(_ request: Request) throws(EntraRefusal) -> EntraRefusal {
    var methods = routes.methods(at: request.path) + documents.methods(at: request.path)
    guard !methods.isEmpty else { return .notFound }
    if methods.contains(.get) { methods.append(.head) }
    if request.path != OrdersAPI.path { _ = try tenant(of: request) }
    return .methodNotAllowed(methods.map(\.rawValue))
  }

  private func refuseIfTooFrequent(_ route: EntraRoute, in world: World) throws(EntraRefusal) {
    guard world.settings.rateLimits else { return }
    let wait = world.rateLimits.take(
      route.rawValue,
      by: "anyone",
      limit: Self.callLimit,
      at: EpochMilliseconds(world.clock.now)
    )
    if let wait { throw .throttled(retryAfter: wait) }
  }

  // MARK: What goes wrong

  func trace(_ request: Request, random: RandomSource, at date: Date) -> EntraTrace {
    EntraTrace(request, random: random, at: date)
  }

  func reference(_ trace: EntraTrace) -> String { trace.traceID }

  func refusal(for failure: EngineFailure) -> EntraRefusal {
    switch failure {
    case .worldNameInvalid: EntraRefusal("invalid_request", nil, nil, failure.sentence)
    case .worldUnavailable, .storageFailed: .failed(503, failure.sentence)
    case .unexpected: .failed(500, failure.sentence)
    }
  }

  func answer(_ refusal: EntraRefusal, _ trace: EntraTrace) -> UnsignedResponse {
    UnsignedResponse(refusal, trace)
  }
}

extension EntraCall: RunnableCall {
  var isReadOnly: Bool { false }

  func transaction(_ run: CallRun, _ db: Database) -> EntraTransaction {
    EntraTransaction(self, run, db)
  }

  func carryOut(in transaction: EntraTransaction) throws -> EntraOutcome {
    try transaction.carryOut()
  }

  func refused(_ refusal: EntraRefusal) -> EntraOutcome { .refused(refusal) }

  func answer(_ outcome: EntraOutcome, in transaction: EntraTransaction) -> UnsignedResponse {
    var answer = UnsignedResponse(outcome, trace)
    answer.unsignedTokens = transaction.unsignedTokens
    return answer
  }
}
