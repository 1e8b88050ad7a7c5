import Emulators
import ErrorCodes
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

/// An answer of the emulator, decoded.
struct EntraAnswerRead: CustomStringConvertible {
  var status: Int
  var json: JSON
  var fields: HTTPFields

  var continuation: String? { json["continuation_token"]?.string }
  var challengeType: String? { json["challenge_type"]?.string }
  var error: String? { json["error"]?.string }
  var code: Int? { json["error_codes"]?[0]?.integer.map(Int.init) }
  /// What went wrong in a few words: `400 invalid_grant mfa_required 50076`.
  var refusal: String {
    [String(status), error ?? "-", json["suberror"]?.string, code.map(String.init)]
      .compactMap(\.self).joined(separator: " ")
  }

  /// Whether it is one of the errors that are listed for the call.
  func isListed(at call: EntraErrorCode.Call) -> Bool {
    EntraErrorCode.listed.contains {
      $0.call == call && $0.error == error && $0.suberror == json["suberror"]?.string
        && $0.number == code
    }
  }

  /// The payload of a JWT, unverified.
  func claims(of name: String) throws -> JSON {
    let token = try #require(json[name]?.string)
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    let payload = try #require(Base64URL.bytes(of: String(parts[1])))
    return try #require(JSON(decoding: payload))
  }

  var description: String { "\(status) \(String(decoding: json.encoded, as: UTF8.self))" }
}

/// An app that keeps the newest continuation token, even from errors, as the documents say.
final class EntraClient {
  static let password = "walk-right-in-42"
  static let newPassword = "a-good-new-password-7"
  static let clientID = EntraApp.demoID
  static let everything = "openid profile offline_access api://orders/Read api://orders/Write"

  let emulator: EntraEmulator
  let world: WorldName
  var tenant = EntraTenant.defaultName
  var clientID: String? = EntraClient.clientID
  var challengeTypes = "oob password redirect"
  var capabilities: String? = "mfa_required registration_required"
  var scope = EntraClient.everything
  var continuation: String?
  /// Sent with every call; nil sends none.
  var acceptLanguage: String?

  init(emulator: EntraEmulator, world: WorldName = .main) {
    self.emulator = emulator
    self.world = world
  }

  /// Sends a call without the parameters that every flow has.
  @discardableResult
  func send(
    _ method: HTTPRequest.Method = .post,
    _ path: String,
    _ form: FormData = [:],
    fields extra: HTTPFields = [:]
  ) async throws -> EntraAnswerRead {
    var fields: HTTPFields = [.vestibuleWorld: world.text]
    fields[.acceptLanguage] = acceptLanguage
    for field in extra { fields[field.name] = field.value }
    let response = await emulator.respond(
      to: Request(method, path, form: form, headerFields: fields)
    )
    return EntraAnswerRead(
      status: response.status.code,
      json: try response.read(by: JSON.init(decoding:), empty: .null),
      fields: response.headerFields
    )
  }

  /// Sends a call with the client's id, and keeps the continuation token that comes back.
  @discardableResult
  func post(_ endpoint: String, _ form: FormData = [:]) async throws -> EntraAnswerRead {
    var form = form
    if let clientID, form["client_id"] == nil { form.append("client_id", clientID) }
    let answer = try await send(.post, "/\(tenant)/\(endpoint)", form)
    if let token = answer.continuation { continuation = token }
    return answer
  }

  /// Sends a call that continues the flow.
  @discardableResult
  func go(_ endpoint: String, _ form: FormData = [:]) async throws -> EntraAnswerRead {
    var form = form
    form.append("continuation_token", continuation ?? "none")
    return try await post(endpoint, form)
  }

  // MARK: Steps

  /// The three calls with which flows begin.
  @discardableResult
  func start(
    _ endpoint: String,
    _ username: String,
    _ more: FormData = [:]
  ) async throws -> EntraAnswerRead {
    var form: FormData = ["username": username, "challenge_type": challengeTypes]
    if let capabilities { form.append("capabilities", capabilities) }
    form.fields += more.fields
    return try await post(endpoint, form)
  }

  @discardableResult
  func initiate(_ username: String) async throws -> EntraAnswerRead {
    try await start("oauth2/v2.0/initiate", username)
  }

  @discardableResult
  func challenge(_ form: FormData = [:]) async throws -> EntraAnswerRead {
    try await go("oauth2/v2.0/challenge", form)
  }

  @discardableResult
  func token(_ grantType: String, _ more: FormData = [:]) async throws -> EntraAnswerRead {
    var form: FormData = ["grant_type": grantType, "client_info": "true"]
    if more["scope"] == nil { form.append("scope", scope) }
    form.fields += more.fields
    return try await go("oauth2/v2.0/token", form)
  }

  /// Goes from the name to the password.
  @discardableResult
  func signIn(
    _ username: String,
    password: String = EntraClient.password,
    _ more: FormData = [:]
  ) async throws -> EntraAnswerRead {
    let begun = try await initiate(username)
    guard begun.status == 200 else { return begun }
    let challenged = try await challenge()
    guard challenged.challengeType == "password" else { return challenged }
    return try await token(
      "password",
      FormData([.init(name: "password", value: password)] + more.fields)
    )
  }

  @discardableResult
  func refresh(_ token: String, _ more: FormData = [:]) async throws -> EntraAnswerRead {
    var form: FormData = [
      "grant_type": "refresh_token", "refresh_token": token, "client_info": "true",
    ]
    if more["scope"] == nil { form.append("scope", scope) }
    form.fields += more.fields
    return try await post("oauth2/v2.0/token", form)
  }

  @discardableResult
  func startSignUp(_ username: String, _ more: FormData = [:]) async throws -> EntraAnswerRead {
    try await start("signup/v1.0/start", username, more)
  }

  @discardableResult
  func startReset(_ username: String) async throws -> EntraAnswerRead {
    try await start("resetpassword/v1.0/start", username)
  }
}
