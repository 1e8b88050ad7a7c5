public import Foundation
public import HTTPExchange
public import HTTPTypes

/// Backstage for a test: the messages that would have been sent, and the world's clock.
///
/// It speaks the JSON under `/backstage/api/`, on the pages' port or on the emulator's own.
public struct TestBackstage: Sendable {
  public struct Message: Sendable, Hashable, Decodable {
    public var id: String
    public var to: String
    public var channel: String
    /// False for test contacts, who are sent nothing.
    public var sent: Bool
    public var purpose: String
    public var code: String?
    public var link: String?
    public var subject: String?
    public var text: String
    /// By the world's clock, such as `2026-11-21T14:35:00Z`.
    public var createdAt: String

    enum CodingKeys: String, CodingKey {
      case id, to, channel, sent, purpose, code, link, subject, text
      case createdAt = "created_at"
    }
  }

  /// Backstage refused, or its response was not as expected.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
    /// Whether backstage refused the request itself (4xx), or the world's name is invalid: trying
    /// again is no use.
    public var isRefusal = false
    /// Whether the thing requested does not exist (404).
    var isAbsence = false
    /// The message of backstage's refusal; nil if there was none.
    var refusal: String?
  }

  private let transport: any HTTPTransport
  private let host: String?
  private let reach: Reach
  private let patience: Duration

  /// How long to wait for a message by default.
  public static let usualPatience = Duration.seconds(10)
  /// The longest wait that backstage accepts.
  private static let patienceLimit = Duration.seconds(30)

  /// - Parameters:
  ///   - transport: How backstage is reached.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - world: The world that calls act on; nil is `main`. If it is not a valid world name, every
  ///     call throws `Failure`.
  ///   - patience: How long to wait for a message, clamped to 0 to 30 seconds. A transport with a
  ///     shorter timeout gives up earlier. A message that a page has announced needs no waiting:
  ///     the emulator stores it before that response is sent.
  public init(
    over transport: any HTTPTransport,
    host: String? = nil,
    world: String? = nil,
    patience: Duration = Self.usualPatience
  ) {
    self.init(over: transport, host: host, world: world, patience: patience, hindrance: nil)
  }

  /// - Parameters:
  ///   - transport: How backstage is reached.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - world: The world that calls act on; nil is `main`.
  ///   - patience: How long to wait for a message.
  ///   - hindrance: Why no request can be sent; nil if requests can be.
  package init(
    over transport: any HTTPTransport,
    host: String?,
    world: String?,
    patience: Duration,
    hindrance: String?
  ) {
    self.transport = transport
    self.host = host
    reach = Reach(world: world, hindrance: hindrance)
    self.patience = min(max(patience, .zero), Self.patienceLimit)
  }

  /// Every message, newest first.
  ///
  /// - Throws: `Failure`, what the transport throws, or a `DecodingError`.
  public func messages(to: String? = nil) async throws -> [Message] {
    let query = to.map { "?to=\(Self.escaped($0))" } ?? ""
    return try JSONDecoder().decode(
      [Message].self,
      from: try await call(.get, "messages\(query)")
    )
  }

  /// The newest message; waits for one if there is none yet.
  ///
  /// - Throws: `Failure` if none arrives in time, listing the messages that are there; what the
  ///   transport throws, or a `DecodingError`.
  public func latestMessage(to: String, purpose: String? = nil) async throws -> Message {
    var target = "messages/latest?wait=\(patience.inSeconds)&to=\(Self.escaped(to))"
    if let purpose { target += "&purpose=\(Self.escaped(purpose))" }
    do {
      return try JSONDecoder().decode(Message.self, from: try await call(.get, target))
    } catch let failure as Failure where failure.isAbsence {
      // It lists the messages that are there.
      throw Failure(description: failure.refusal ?? failure.description, isRefusal: true)
    }
  }

  /// The code of the newest message.
  ///
  /// - Throws: `Failure` if there is no such message, or no code in it; otherwise as
  ///   `latestMessage`.
  public func latestCode(to: String, purpose: String? = nil) async throws -> String {
    guard let code = try await latestMessage(to: to, purpose: purpose).code else {
      throw Failure(description: "The newest message to \(to) has no code")
    }
    return code
  }

  /// The target of the newest message's link, as a path of the pages with its query.
  ///
  /// - Throws: `Failure` if there is no such message, or no link in it; otherwise as
  ///   `latestMessage`.
  public func latestLink(to: String, purpose: String? = nil) async throws -> String {
    let message = try await latestMessage(to: to, purpose: purpose)
    guard let link = message.link.flatMap(URLComponents.init(string:)) else {
      throw Failure(description: "The newest message to \(to) has no link")
    }
    return link.percentEncodedQuery.map { "\(link.percentEncodedPath)?\($0)" }
      ?? link.percentEncodedPath
  }

  /// The current code of an account's authenticator app, also while the app is being set up.
  ///
  /// Each code is accepted once: for the next one, the clock has to move by 30 seconds.
  /// - Parameter account: The account's ID, or its address, number or username.
  /// - Returns: The digits.
  /// - Throws: `Failure` if the account has no authenticator, what the transport throws, or a
  ///   `DecodingError`.
  public func authenticatorCode(of account: String) async throws -> String {
    do {
      return try await authenticatorCode(ofID: account)
    } catch let failure as Failure where failure.isAbsence {
      guard let id = try await foundUserID(of: account) else { throw failure }
      return try await authenticatorCode(ofID: id)
    }
  }

  private func authenticatorCode(ofID id: String) async throws -> String {
    struct Reading: Decodable { var code: String }
    let reading = try await call(.get, "users/\(PercentEncoding.segment(id))/totp")
    return try JSONDecoder().decode(Reading.self, from: reading).code
  }

  /// The ID of the account with that address, number or username.
  ///
  /// - Throws: `Failure` if there is none, what the transport throws, or a `DecodingError`.
  public func userID(of identifier: String) async throws -> String {
    guard let id = try await foundUserID(of: identifier) else {
      throw Failure(description: "There is no account \(identifier)")
    }
    return id
  }

  private func foundUserID(of identifier: String) async throws -> String? {
    struct User: Decodable { var id: String }
    let found = try await call(.get, "users?identifier=\(Self.escaped(identifier))")
    return try JSONDecoder().decode([User].self, from: found).first?.id
  }

  /// Moves the world's clock.
  ///
  /// - Throws: `Failure` if backstage refuses the move, or what the transport throws.
  public func advanceClock(by duration: Duration) async throws {
    _ = try await call(
      .post,
      "clock",
      json: #"{"advance_seconds":\#(duration.inSeconds)}"#
    )
  }

  /// The time by the world's clock.
  ///
  /// - Throws: `Failure` if the response is not a time, what the transport throws, or a
  ///   `DecodingError`.
  public func now() async throws -> Date {
    struct Clock: Decodable { var now: String }
    let clock = try JSONDecoder().decode(Clock.self, from: try await call(.get, "clock"))
    for style in [
      Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      Date.ISO8601FormatStyle(includingFractionalSeconds: false),
    ] {
      if let date = try? style.parse(clock.now) { return date }
    }
    throw Failure(description: "The clock's 'now' is not a time: \(clock.now)")
  }

  /// Calls backstage and returns the body.
  ///
  /// - Throws: `Failure` with the response if it is not a success, or what the transport throws.
  public func call(
    _ method: HTTPRequest.Method,
    _ path: String,
    json: String? = nil
  ) async throws -> Data {
    let world = try reach.world { Failure(description: $0, isRefusal: true) }
    var fields: HTTPFields = [.vestibuleBackstage: "1"]
    if let host { fields[.host] = host }
    if let world { fields[.vestibuleWorld] = world.text }
    if json != nil { fields[.contentType] = "application/json" }
    let response = try await transport.send(
      Request(
        method: method,
        target: "/backstage/api/\(path)",
        headerFields: fields,
        body: Array((json ?? "").utf8)
      )
    )
    guard response.status.kind == .successful else {
      let refusal = response.refusal
      let words =
        refusal.map { "\($0.code): \($0.message)" }
        ?? String(decoding: response.body, as: UTF8.self)
      throw Failure(
        description: "\(method) \(path): \(response.status.code) \(words)",
        isRefusal: response.status.kind == .clientError,
        isAbsence: response.status == .notFound,
        refusal: refusal?.message
      )
    }
    return Data(response.body)
  }

  /// Calls backstage with a method given by name, such as `PATCH`.
  ///
  /// - Throws: `Failure` with the response if it is not a success, or what the transport throws.
  @discardableResult
  public func send(_ method: String, _ path: String, json: String? = nil) async throws -> Data {
    guard let method = HTTPRequest.Method(method) else {
      throw Failure(description: "There is no method \(method)")
    }
    return try await call(method, path, json: json)
  }

  private static func escaped(_ text: String) -> String {
    let form: FormData = ["": text]
    return String(decoding: form.encoded.dropFirst(), as: UTF8.self)
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Marks a request as meant for backstage: no page of another origin can send it (S23).
  public static let vestibuleBackstage = Self("X-Vestibule-Backstage")!
}

extension Duration {
  /// The duration in seconds, with fractions.
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
