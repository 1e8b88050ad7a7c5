import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport

/// Backstage and the emulator over the same worlds, in process.
struct BackstageClient: Sendable {
  private static let signIns = "/v1/client/sign_ins?_is_native=1"

  let worlds: Worlds
  let backstage: BackstageAPI
  let emulator: ClerkEmulator

  /// - Parameters:
  ///   - users: The accounts of a fresh world; nil for the demo users.
  ///   - brand: The brand that the pages have; nil if there are no pages.
  ///   - origins: The origins under which people reach it.
  /// - Throws: `WorldsError` if they contradict each other.
  init(
    users: [AccountDescription]? = nil,
    brand: BrandBench? = nil,
    at origins: OwnOrigins = OwnOrigins("http://localhost:8080")
  ) throws {
    worlds = try Worlds(storage: .memory, users: users)
    backstage = BackstageAPI(worlds: worlds, at: origins, brand: brand)
    emulator = ClerkEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
  }

  /// The workbench over the same worlds, for a visitor who is at the code page.
  ///
  /// - Throws: `TemplateFault` for templates that cannot be used.
  func workbench(timeZone: TimeZone? = nil) throws -> WorkbenchClient {
    WorkbenchClient(
      try BackstagePages(
        worlds: worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        walked: WalkedFlows { .arrows(WalkedArrows.overClerk) },
        standing: { _ in ["/sign-in/code"] },
        visit: { _ in "own visit" },
        timeZone: { _ in timeZone }
      )
    )
  }

  func send(
    _ method: HTTPRequest.Method,
    _ path: String,
    body: String? = nil,
    fields extra: [HTTPField] = [],
    isMarked: Bool = true
  ) async throws -> Answer {
    var fields: HTTPFields = [.host: "localhost:8080"]
    if isMarked { fields[.mark] = "1" }
    if body != nil { fields[.contentType] = "application/json" }
    for field in extra { fields[field.name] = field.value }
    let response = try await InProcessTransport(to: backstage).send(
      Request(
        method: method,
        target: "/backstage/api/\(path)",
        headerFields: fields,
        body: Array((body ?? "").utf8)
      )
    )
    return Answer(
      status: response.status.code,
      json: try response.read(by: JSON.init(decoding:), empty: .null),
      fields: response.headerFields
    )
  }

  /// Makes the emulator send a code to `cody@example.com`.
  func sendCode(
    world: String = "main",
    to address: String = "cody@example.com",
    strategy: String = "email_code",
    in language: String = "en"
  ) async {
    let form: FormData = ["identifier": address, "strategy": strategy]
    let fields: HTTPFields = [.vestibuleWorld: world, .acceptLanguage: language]
    _ = await emulator.respond(
      to: Request(.post, Self.signIns, form: form, headerFields: fields)
    )
  }

  /// Signs in, and says where that led: a status or the code of the first error.
  func signIn(_ identifier: String, _ password: String) async throws -> String? {
    let form: FormData = ["identifier": identifier, "password": password]
    let response = await emulator.respond(to: Request(.post, Self.signIns, form: form))
    let json = try response.read(by: JSON.init(decoding:), empty: .null)
    return (json["response"]?["status"] ?? json["errors"]?[0]?["code"])?.string
  }
}

struct Answer {
  var status: Int
  var json: JSON
  var fields: HTTPFields

  var code: String? { json["errors"]?[0]?["code"]?.string }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let mark = Self("X-Vestibule-Backstage")!
  static let site = Self("Sec-Fetch-Site")!
  static let link = Self("Link")!
}
