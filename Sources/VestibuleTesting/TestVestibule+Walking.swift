internal import Foundation
internal import HTTPClientTransport
public import Headless
internal import HTTPExchange
internal import HTTPTypes
internal import Vestibule

extension TestVestibule {
  /// The address of the pages that recorded walks are walked on; nil walks in process.
  @TaskLocal package static var walkedServer = ProcessInfo.processInfo.environment["VESTIBULE_URL"]

  /// Walks in a fresh world: of the server at `VESTIBULE_URL` where that is set, else in process.
  ///
  /// - Parameters:
  ///   - api: Which API is emulated in process: `clerk` or `entra`.
  ///   - walk: Gets a browser that has not been here yet, and backstage of its world.
  /// - Throws: What the walk throws, or why there are no pages.
  public static func walking(
    over api: String,
    _ walk: (FormSession, TestBackstage) async throws -> Void
  ) async throws {
    let world = "recorded-\(UUID().uuidString.lowercased().prefix(13))"
    guard let walkedServer else {
      var configuration = Configuration()
      configuration.service = .pages(
        at: .init(port: 8080),
        over: .emulated(api == "entra" ? .entra : .clerk)
      )
      let vestibule = try TestVestibule(configuration)
      return try await walk(vestibule.session(world: world), vestibule.backstage(world: world))
    }
    var limits = HTTPClientTransport.Limits()
    limits.totalDeadline = walkDeadline
    let transport = try HTTPClientTransport(to: BaseURL(walkedServer), limits: limits)
    let backstage = TestBackstage(over: transport, world: world)
    var failure: (any Error)?
    do {
      try await walk(FormSession(over: transport, world: world), backstage)
    } catch {
      failure = error
    }
    do {
      _ = try await backstage.call(.delete, "worlds/\(world)")
    } catch {
      // Why the walk failed says more than that its world is still there.
      failure = failure ?? error
    }
    await transport.shutdown()
    if let failure { throw failure }
  }

  /// What one request of a walk may take: more than backstage waits for a message, so that it says
  /// itself that none has come.
  package static let walkDeadline = TestBackstage.usualPatience + .seconds(5)
}
