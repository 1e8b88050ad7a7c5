import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

/// An answer of the emulator, decoded.
struct Answer: CustomStringConvertible {
  var status: Int
  var json: JSON
  var fields: HTTPFields

  var codes: [String] { json["errors"]?.array?.compactMap { $0["code"]?.string } ?? [] }
  var code: String? { codes.first }
  var parameter: String? { json["errors"]?[0]?["meta"]?["param_name"]?.string }
  var resource: JSON? { json["response"] }
  /// The piggybacked client, on success and on errors.
  var client: JSON? { json["client"] ?? json["meta"]?["client"] }
  var state: String? { resource?["status"]?.string }
  var id: String { resource?["id"]?.string ?? "none" }
  /// What went wrong in a few words: `422 form_code_incorrect code`.
  var refusal: String {
    ([String(status), code ?? "-"] + (parameter.map { [$0] } ?? [])).joined(separator: " ")
  }

  var description: String { "\(status) \(String(decoding: json.encoded, as: UTF8.self))" }
}

/// A native client that keeps its token as the documents say: on success and on errors.
final class ScriptedClient {
  let emulator: ClerkEmulator
  let world: WorldName
  var token: String?
  /// Sent with every call; nil sends none.
  var acceptLanguage: String?

  init(emulator: ClerkEmulator, world: WorldName = .main) {
    self.emulator = emulator
    self.world = world
  }

  @discardableResult
  func send(
    _ method: HTTPRequest.Method,
    _ path: String,
    _ form: FormData = [:],
    fields extra: HTTPFields = [:]
  ) async throws -> Answer {
    let separator = path.contains("?") ? "&" : "?"
    var fields: HTTPFields = [.clerkAPIVersion: "2026-05-12"]
    fields[.vestibuleWorld] = world.text
    if let token { fields[.authorization] = token }
    fields[.acceptLanguage] = acceptLanguage
    for field in extra { fields[field.name] = field.value }
    let response = await emulator.respond(
      to: Request(method, "\(path)\(separator)_is_native=1", form: form, headerFields: fields)
    )
    if let changed = response.headerFields[.authorization] {
      token = changed == "Bearer" ? nil : changed
    }
    return Answer(
      status: response.status.code,
      json: try response.read(by: JSON.init(decoding:), empty: .null),
      fields: response.headerFields
    )
  }

  @discardableResult
  func get(_ path: String) async throws -> Answer { try await send(.get, path) }

  @discardableResult
  func post(_ path: String, _ form: FormData = [:]) async throws -> Answer {
    try await send(.post, path, form)
  }

  /// A copy that holds the same token, as another tab of the browser would.
  func twin() -> ScriptedClient {
    let twin = ScriptedClient(emulator: emulator, world: world)
    twin.token = token
    return twin
  }
}

extension ScriptedClient {
  static let password = "walk-right-in-42"

  @discardableResult
  func begin(_ identifier: String, _ more: FormData = [:]) async throws -> Answer {
    try await post(
      "/v1/client/sign_ins",
      FormData([.init(name: "identifier", value: identifier)] + more.fields)
    )
  }

  @discardableResult
  func signIn(_ identifier: String, password: String = password) async throws -> Answer {
    try await begin(identifier, ["password": password])
  }

  @discardableResult
  func prepareFirst(_ id: String, _ strategy: String, _ more: FormData = [:]) async throws -> Answer
  {
    try await step("sign_ins/\(id)/prepare_first_factor", strategy, more)
  }

  @discardableResult
  func attemptFirst(_ id: String, _ strategy: String, _ more: FormData) async throws -> Answer {
    try await step("sign_ins/\(id)/attempt_first_factor", strategy, more)
  }

  @discardableResult
  func prepareSecond(_ id: String, _ strategy: String, _ more: FormData = [:]) async throws
    -> Answer
  {
    try await step("sign_ins/\(id)/prepare_second_factor", strategy, more)
  }

  @discardableResult
  func attemptSecond(_ id: String, _ strategy: String, code: String) async throws -> Answer {
    try await step("sign_ins/\(id)/attempt_second_factor", strategy, ["code": code])
  }

  @discardableResult
  func prepareSignUp(_ id: String, _ strategy: String = "email_code") async throws -> Answer {
    try await step("sign_ups/\(id)/prepare_verification", strategy, [:])
  }

  @discardableResult
  func attemptSignUp(
    _ id: String,
    _ strategy: String = "email_code",
    code: String
  ) async throws -> Answer {
    try await step("sign_ups/\(id)/attempt_verification", strategy, ["code": code])
  }

  private func step(_ path: String, _ strategy: String, _ more: FormData) async throws -> Answer {
    try await post(
      "/v1/client/\(path)",
      FormData([.init(name: "strategy", value: strategy)] + more.fields)
    )
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let clerkAPIVersion = Self("Clerk-API-Version")!
}
