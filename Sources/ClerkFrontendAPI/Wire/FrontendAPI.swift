internal import AuthAPIClient
internal import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// A client of the Frontend API in native mode: one request, one answer, nothing retried.
///
/// Source: <doc:ClerkTransport#Our-profile>.
struct FrontendAPI: Sendable {
  static let version = "2026-05-12"

  let connection: APIConnection
  var clock: WallClock { connection.clock }

  /// The same, called for the browser with that user agent.
  func calling(for userAgent: String) -> FrontendAPI {
    FrontendAPI(connection: connection.calling(for: userAgent))
  }

  /// The same, for a reader of that language.
  func calling(in language: String) -> FrontendAPI {
    FrontendAPI(connection: connection.calling(in: language))
  }

  /// Makes the call and reads its envelope; a token in the answer is kept in any case.
  ///
  /// - Throws: `RefusedCall` if there is no answer, or one that is not a success.
  func ask<Resource: Decodable & Sendable>(
    _ call: Call,
    for resource: Resource.Type,
    passwordRules: PasswordRules? = nil,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Envelope<Resource> {
    let response = try await success(of: call, passwordRules: passwordRules, memory: &memory)
    guard let envelope = JSONBody.decode(Envelope<Resource>.self, from: response.body) else {
      throw RefusedCall(.nonsense(response.lacking(resource)))
    }
    // A new client has no last strategy; the browser's earlier one is kept.
    if let strategy = envelope.client?.lastStrategy { memory.lastStrategy = strategy }
    return envelope
  }

  /// Makes the call and reads a list, which has no envelope.
  ///
  /// - Throws: `RefusedCall` if there is no answer, or one that is not a success.
  func list<Element: Decodable & Sendable>(
    _ call: Call,
    of type: Element.Type,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> ListResource<Element> {
    let response = try await success(of: call, memory: &memory)
    guard let list = JSONBody.decode(ListResource<Element>.self, from: response.body) else {
      throw RefusedCall(.nonsense(response.lacking(ListResource<Element>.self)))
    }
    return list
  }

  /// Makes the call and requires a success, of whatever shape.
  ///
  /// - Throws: `RefusedCall` if there is no answer, or one that is not a success.
  func success(
    of call: Call,
    passwordRules: PasswordRules? = nil,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Response {
    let sent = memory.clientToken
    let response = try await send(call, token: sent)
    memory.keepToken(of: response.headerFields)
    guard response.status.kind != .successful else { return response }
    let reading = ErrorReading(
      purpose: call.purpose,
      passwordRules: passwordRules,
      now: clock.now,
      // The answer may repeat either: the one that was sent, or the one that it brings.
      secrets: call.secrets + [sent, memory.clientToken].compactMap(\.self)
    )
    let refusal = reading.refusal(of: response)
    memory.forgetToken(refusedBy: refusal, of: call)
    throw refusal
  }

  /// Makes the call and returns the answer as it came, whatever its status.
  func send(_ call: Call, token: String?) async throws(RefusedCall) -> Response {
    var fields: HTTPFields = [.clerkAPIVersion: Self.version]
    fields[.authorization] = token
    let request = connection.request(
      call.method,
      call.target,
      form: call.form(in: connection.language),
      headerFields: fields
    )
    do {
      return try await connection.send(request)
    } catch {
      throw RefusedCall(AuthError(unanswered: CallFault(error), diagnosis: "\(error)"))
    }
  }
}

extension ProviderMemory {
  /// Drops a token that the API rejects, so that the next attempt begins with a new one.
  ///
  /// A session's call keeps it unless it is malformed: the session may be over while the client,
  /// and with it the trust in this device, lives on. A call with a nonce keeps it, too: the nonce
  /// may be what is rejected, and any link can bring one.
  fileprivate mutating func forgetToken(refusedBy refusal: RefusedCall, of call: Call) {
    let isUnknown =
      !call.purpose.isOfSession && call.query[Call.nonceName] == nil
      && refusal.has("authentication_invalid")
    if isUnknown || refusal.has("authorization_header_format_invalid") { clientToken = nil }
  }
}
