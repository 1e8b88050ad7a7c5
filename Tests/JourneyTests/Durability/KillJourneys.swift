import Foundation
import HTTPClientTransport
import Testing
import TestSupport
import VestibuleTesting

@Suite("When the process is killed", .inTurn)
struct KillJourneys {
  @Test("no acknowledged account is lost, and the database is whole", arguments: Stage.API.allCases)
  func kill(api: Stage.API) async throws {
    try await withTemporaryFolder { try await killing(api, folder: $0) }
  }

  private func killing(_ api: Stage.API, folder: String) async throws {
    let arguments = ["--api", api.rawValue, "--port", "0", "--data", folder]
    let acknowledged = try await signUpUntilKilled(arguments)
    #expect(acknowledged.count >= Self.enough)

    let (status, output) = try Command.run([
      "python3", "-c",
      """
      import glob, sqlite3, sys
      for path in glob.glob(sys.argv[1] + "/*.sqlite*"):
          if not path.endswith(("-wal", "-shm")):
              print(sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0])
      """,
      folder,
    ])
    #expect(status == 0)
    #expect(output == "ok\n")

    let program = try Program(arguments)
    defer { program.end() }
    let transport = try HTTPClientTransport(to: BaseURL(try await program.addresses(1)[0]))
    let result = await Result {
      for address in acknowledged {
        let page = try await FormSession(over: recorded(transport)).signIn(address, Self.password)
        #expect(page.page == "account", "\(address)")
      }
    }
    await transport.shutdown()
    try result.get()
  }

  private static let enough = 12
  private static let password = "a-good-new-password-7"

  /// Signs up with several browsers at once, kills the process in the middle, and returns the
  /// addresses whose accounts it had acknowledged.
  private func signUpUntilKilled(_ arguments: [String]) async throws -> [String] {
    let program = try Program(arguments)
    defer { program.end(SIGKILL) }
    // Patient, since a busy machine hashes slowly; a sign-up without an answer does not count.
    var limits = HTTPClientTransport.Limits()
    limits.totalDeadline = .seconds(60)
    let transport = try HTTPClientTransport(
      to: try BaseURL(try await program.addresses(1)[0]),
      limits: limits
    )
    let acknowledged = Acknowledged()
    await withTaskGroup(of: Void.self) { group in
      for browser in 0..<6 {
        group.addTask {
          for attempt in 0..<1_000 {
            let address = "kim-\(browser)-\(attempt)@example.com"
            do {
              let session = FormSession(over: recorded(transport))
              let asked = try await session.signUp(address, Self.password)
              // A busy machine may answer too late, and still have sent the code.
              guard asked.page == "sign-up-verify" else { continue }
              let mail = try await TestBackstage(over: recorded(transport)).latestMessage(
                to: address
              )
              let page = try await session.submit(["code": mail.code ?? ""])
              guard page.page == "account" else { continue }
            } catch {
              guard program.isRunning else { return }
              continue
            }
            if await acknowledged.add(address) == Self.enough { program.end(SIGKILL) }
          }
        }
      }
    }
    await transport.shutdown()
    return await acknowledged.addresses
  }
}

/// The addresses whose accounts have been acknowledged.
private actor Acknowledged {
  private(set) var addresses: [String] = []

  /// Adds one, and returns how many there are.
  func add(_ address: String) -> Int {
    addresses.append(address)
    return addresses.count
  }
}
