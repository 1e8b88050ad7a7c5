internal import Foundation
internal import GRDB
public import HTTPExchange
internal import HTTPTypes

/// Clerk's Frontend API, for apps and for browsers, emulated with accounts of our own.
///
/// Source: Clerk, Frontend API, version 2026-05-12.
public struct ClerkEmulator: HTTPHandler {
  private let engine: EmulatorEngine
  private let wire: ClerkWire

  /// - Parameters:
  ///   - worlds: The worlds that hold the accounts.
  ///   - address: The URL of the API for callers that name no host.
  ///   - hasOwnPort: Whether browsers reach the API there; if not, its pages are among backstage's.
  ///   - pagesOrigin: Where people sign in, `scheme://host[:port]`, unless an application's own page
  ///     asks; nil where that is not known.
  ///   - origins: Which web pages may call, and be redirected to.
  ///   - report: Receives unforeseen errors.
  public init(
    worlds: Worlds,
    address: String,
    hasOwnPort: Bool = true,
    pagesOrigin: String? = nil,
    origins: BrowserOrigins = BrowserOrigins(),
    report: UnexpectedErrorReport = .none
  ) {
    engine = EmulatorEngine(worlds: worlds, report: report)
    wire = ClerkWire(
      address: address,
      hasOwnPort: hasOwnPort,
      pagesOrigin: pagesOrigin,
      origins: origins
    )
  }

  public func respond(to request: Request) async -> Response {
    await engine.respond(to: request.inWorldOfItsAddress(among: engine.worlds), by: wire)
  }

  /// The emulated operations, by method and path; a segment in braces stands for any segment.
  public static var operations: [String] { ClerkRoute.allCases.map(\.rawValue) }

  /// Whether people open the path in a browser; all others are for calls.
  public static func isBrowserPage(_ path: Substring) -> Bool {
    path == EnterprisePage.path[...] || path == "/v1/verify"
  }

  /// A refusal made outside the operations, such as for an unknown host or a body that is too large.
  public static func refusal(status: Int, code: String, _ text: String) -> Response {
    let refusal = ClerkRefusal(status, ClerkProblem(code, text))
    return UnsignedResponse(refusal, traceID: RandomSource.system.traceID()).response
  }
}

extension Request {
  /// The same request; if it is for a page whose address names a world, the header names that world.
  ///
  /// This does not create the world: only worlds in use have such addresses. A header wins.
  func inWorldOfItsAddress(among worlds: Worlds) -> Request {
    guard ClerkEmulator.isBrowserPage(path), headerFields[.vestibuleWorld] == nil,
      let name = queryParameters["world"].flatMap({ WorldName($0) }), worlds.opened(name) != nil
    else { return self }
    var request = self
    request.headerFields[.vestibuleWorld] = name.text
    return request
  }
}

/// Reads the requests of the Frontend API.
struct ClerkWire: EmulatedWire {
  let address: String
  let hasOwnPort: Bool
  let pagesOrigin: String?
  let origins: BrowserOrigins
  private let routes = ClerkRoute.table

  init(address: String, hasOwnPort: Bool, pagesOrigin: String?, origins: BrowserOrigins) {
    self.address = address
    self.hasOwnPort = hasOwnPort
    self.pagesOrigin = pagesOrigin
    self.origins = origins
  }

  func respond(
    to request: Request,
    _ traceID: String,
    by runner: CallRunner
  ) async throws -> Response {
    if request.path == EnterprisePage.path {
      return try await EnterprisePage(world: runner.world, for: request).respond(to: request)
    }
    let path = request.path.hasSuffix("/") ? request.path.dropLast() : request.path
    var method = try ClerkCall.method(of: request)
    // HEAD counts as GET only where the instance is described: mail scanners send it to the links in
    // emails, which must not use them up.
    if method == .head, routes.match(.get, path)?.operation.isAboutInstance == true {
      method = .get
    }
    guard let match = routes.match(method, path) else {
      throw isForeign(request.path) ? .notFound : ClerkRefusal.notImplemented(method, request.path)
    }
    var call = try ClerkCall(
      request,
      match,
      ClerkPlace(
        origin: AskedOrigin(of: request, servedAt: address),
        world: runner.world.name,
        hasOwnPort: hasOwnPort,
        pagesOrigin: pagesOrigin,
        origins: origins
      ),
      traceID: traceID
    )
    if let token = call.token {
      let payload = try await runner.signer.key().payload(ofOpaqueToken: token)
      call.rotatingToken = payload?["rotating_token"]?.string
    }
    return try await runner.response(to: call)
  }

  /// Whether a path is outside the Frontend API.
  private func isForeign(_ path: Substring) -> Bool {
    path != "/api_keys"
      && !["/v1/", "/.well-known/", "/oauth/", "/api_keys/"].contains(where: path.hasPrefix)
  }

  // MARK: What goes wrong

  func trace(_ request: Request, random: RandomSource, at date: Date) -> String {
    random.traceID()
  }

  func reference(_ traceID: String) -> String { traceID }

  func refusal(for failure: EngineFailure) -> ClerkRefusal {
    switch failure {
    case .worldNameInvalid: .badRequest("host_invalid", failure.sentence)
    case .worldUnavailable, .storageFailed: .failed(503, failure.sentence)
    case .unexpected: .failed(500, failure.sentence)
    }
  }

  func answer(_ refusal: ClerkRefusal, _ traceID: String) -> UnsignedResponse {
    UnsignedResponse(refusal, traceID: traceID)
  }
}

extension ClerkCall: RunnableCall {
  var isReadOnly: Bool { route.isAboutInstance }

  func transaction(_ run: CallRun, _ db: Database) throws -> ClerkTransaction {
    try ClerkTransaction(self, run, db)
  }

  func carryOut(in transaction: ClerkTransaction) throws -> ClerkOutcome {
    try transaction.refuseUnknownBrowser()
    try transaction.refuseIfTooFrequent()
    return try transaction.carryOut()
  }

  func refused(_ refusal: ClerkRefusal) -> ClerkOutcome { .refused(refusal) }

  func answer(_ outcome: ClerkOutcome, in transaction: ClerkTransaction) throws -> UnsignedResponse
  {
    try transaction.answer(outcome)
  }
}
