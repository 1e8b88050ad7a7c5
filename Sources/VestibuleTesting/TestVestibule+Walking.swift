internal import Foundation
internal import HTTPClientTransport
public import Headless
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
public import Vestibule

extension TestVestibule {
  /// The address of the pages on which recorded walks are played; nil plays them in process.
  @TaskLocal package static var walkedServer = ProcessInfo.processInfo.environment["VESTIBULE_URL"]

  /// Plays a walk in a fresh world, on the server at `VESTIBULE_URL` if that is set, otherwise in
  /// process.
  ///
  /// - Parameters:
  ///   - name: The API to emulate in process: `clerk` or `entra`. Over a socket, the server decides
  ///     (`vestibule run --api entra`).
  ///   - walk: Receives a browser without cookies, and backstage of its world.
  /// - Throws: What the walk throws, or `StartFailure` if there is no such API, or the server does
  ///   not answer.
  public static func walking(
    over name: String,
    _ walk: (FormSession, TestBackstage) async throws -> Void
  ) async throws {
    guard let api = EmulatedAuthAPI.all.first(where: { $0.option == name }) else {
      let known = EmulatedAuthAPI.all.map(\.option).joined(separator: " and ")
      throw StartFailure(.configuration, "There is no emulated API \"\(name)\", only \(known)")
    }
    try await walking(over: api, walk)
  }

  /// The same, over an API given by its case.
  ///
  /// - Throws: What the walk throws, or `StartFailure` if the server does not answer.
  public static func walking(
    over api: EmulatedAuthAPI,
    _ walk: (FormSession, TestBackstage) async throws -> Void
  ) async throws {
    let world = "recorded-\(UUID().uuidString.lowercased().prefix(13))"
    if let walkedServer { return try await walking(on: walkedServer, in: world, walk) }
    var configuration = Configuration()
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
    let vestibule = try TestVestibule(configuration)
    try await walk(vestibule.session(world: world), vestibule.backstage(world: world))
  }

  private static func walking(
    on server: String,
    in world: String,
    _ walk: (FormSession, TestBackstage) async throws -> Void
  ) async throws {
    var limits = HTTPClientTransport.Limits()
    limits.totalDeadline = walkDeadline
    let reason = Locked<String?>(nil)
    let client = try HTTPClientTransport(to: address(of: server), limits: limits) { words in
      reason.withLock { $0 = words }
    }
    let transport = HearingTransport(client)
    let backstage = TestBackstage(over: transport, world: world)
    let browser = FormSession(over: transport, host: nil, world: world, origins: [server])
    var failure: (any Error)?
    do {
      try await walk(browser, backstage)
    } catch {
      failure = error
    }
    do {
      _ = try await backstage.call(.delete, "worlds/\(world)")
    } catch {
      // Why the walk failed says more than that its world is still there.
      failure = failure ?? error
    }
    await client.shutdown()
    // If the server has answered before, it is there, and the walk's own error is more useful.
    if let silence = failure as? TransportError, !transport.hasAnswered.withLock(\.self) {
      let words = reason.withLock(\.self) ?? silence.description
      throw StartFailure(
        .unavailable,
        "VESTIBULE_URL \(server.withoutSecrets) does not answer: \(words)"
      )
    }
    if let failure { throw failure }
  }

  private static func address(of server: String) throws(StartFailure) -> BaseURL {
    do {
      return try BaseURL(server)
    } catch {
      throw StartFailure(
        .configuration,
        "VESTIBULE_URL is invalid: \(error): \(server.withoutSecrets)"
      )
    }
  }

  /// The deadline of one request of a walk: longer than backstage waits for a message, so that
  /// backstage itself reports that none has come.
  package static let walkDeadline = TestBackstage.usualPatience + .seconds(5)
}

/// Sends requests to a server, and records whether it has answered any.
private struct HearingTransport: HTTPTransport {
  let hasAnswered = Locked(false)
  private let server: any HTTPTransport

  init(_ server: any HTTPTransport) { self.server = server }

  func send(_ request: Request) async throws(TransportError) -> Response {
    let response = try await server.send(request)
    hasAnswered.withLock { $0 = true }
    return response
  }
}
