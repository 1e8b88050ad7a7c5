internal import HTTPExchange
internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import JWTKit

/// The documents that the tenant publishes: the issuer of its tokens, and the keys that sign them.
///
/// They are kept for a day, and for one more if they cannot be fetched; a token with an unknown key
/// also has them fetched. Once they are known, they are fetched at most once per `refetchInterval`.
/// Concurrent callers share one request.
///
/// Source: <doc:EntraTokenRenewal#Tenant-documents>.
actor TenantDocuments {
  /// The tenant's OpenID configuration, as far as it matters here.
  struct Configuration: Decodable, Sendable {
    var issuer: String
    var keysAddress: String?

    enum CodingKeys: String, CodingKey {
      case issuer
      case keysAddress = "jwks_uri"
    }
  }

  /// A key set, which may contain keys of unknown types.
  private struct KeySet: Decodable {
    var keys: [Lenient<JWK>]
  }

  private static let patience = Duration.seconds(8)

  private typealias Answer = Result<Known, AuthError>

  private struct Known: Sendable {
    var issuer: String
    var keys: JWTKeyCollection
    var askedAt: Date
  }

  private let api: NativeAPI
  private let refetchInterval: TimeInterval
  private let lifetime: TimeInterval = 86_400
  private var known: Known?
  /// When they were last requested, successfully or not.
  private var triedAt: Date?
  /// The request that is in progress.
  private var asking: Task<Answer, Never>?

  init(api: NativeAPI, refetchInterval: TimeInterval) {
    self.api = api
    self.refetchInterval = refetchInterval
  }

  /// Makes sure that a token can be verified, before one is requested.
  ///
  /// - Throws: `AuthError` if the documents cannot be fetched.
  func prepare() async throws(AuthError) { _ = try await current() }

  func issuer() async throws(AuthError) -> String { try await current().issuer }

  /// Verifies the signature and the claims of a token.
  ///
  /// - Throws: `AuthError` if the token is not valid, or the documents cannot be fetched.
  func verified(
    _ token: String,
    nonce: String? = nil
  ) async throws(AuthError) -> IDToken {
    guard Self.algorithm(of: token) == "RS256" else {
      throw .nonsense(traceID: nil, "id-token-algorithm")
    }
    var known = try await current()
    var read = await Self.read(token, known.keys)
    if read == nil, let newer = try await newer(than: known) {
      known = newer
      read = await Self.read(token, known.keys)
    }
    guard let read else { throw .nonsense(traceID: nil, "id-token-signature") }
    let expected = IDToken.Expectation(
      issuer: known.issuer,
      audience: api.tenant.clientID,
      nonce: nonce,
      now: api.clock.now
    )
    if let fault = read.fault(against: expected) {
      throw .nonsense(traceID: nil, "id-token-\(fault)")
    }
    return read
  }

  private static func read(_ token: String, _ keys: JWTKeyCollection) async -> IDToken? {
    // The error is dropped, since it would quote the token.
    try? await keys.verify(token, as: IDToken.self)
  }

  /// The algorithm that the token's header names.
  private static func algorithm(of token: String) -> String? {
    struct Header: Decodable { var alg: String }
    return token.split(separator: ".").first.flatMap { Base64URL.bytes(ofAnyBase64: $0) }
      .flatMap { JSONBody.decode(Header.self, from: $0)?.alg }
  }

  private func current() async throws(AuthError) -> Known {
    guard let known, !hasPassed(2 * lifetime, since: known.askedAt) else {
      return try await fetch()
    }
    guard hasPassed(lifetime, since: known.askedAt), mayTry else { return known }
    do throws(AuthError) {
      return try await fetch()
    } catch {
      // Tenants rarely change their keys: that these are a day old keeps nobody out.
      return known
    }
  }

  private var mayTry: Bool { triedAt.map { hasPassed(refetchInterval, since: $0) } ?? true }

  /// Whether that many seconds lie between that time and now, even if the clock was set back.
  private func hasPassed(_ interval: TimeInterval, since date: Date) -> Bool {
    abs(api.clock.now.timeIntervalSince(date)) >= interval
  }

  /// Newer documents, fetched if need be; nil if it is too early to fetch them again.
  private func newer(than known: Known) async throws(AuthError) -> Known? {
    // Another caller may have learnt it while this one read.
    if let latest = self.known, latest.keys !== known.keys { return latest }
    guard asking != nil || mayTry else { return nil }
    return try await fetch()
  }

  /// Requests the documents, or waits for the request that is in progress.
  private func fetch() async throws(AuthError) -> Known {
    let task = asking ?? ask()
    guard let deadline = AnswerDeadline.current else { return try await task.value.get() }
    guard let answer = await task.value(within: deadline - .now) else {
      throw AuthError(TransportError.timedOut, traceID: nil)
    }
    return try answer.get()
  }

  /// Begins a request, independent of the caller's task and deadline: a caller with little time
  /// left, or one that goes away, must not end it for the others.
  ///
  /// All its calls together have as much time as those of a page (S27).
  private func ask() -> Task<Answer, Never> {
    triedAt = api.clock.now
    let task = Task {
      await AnswerDeadline.$current.withValue(.now + Self.patience) { await self.answer() }
    }
    asking = task
    return task
  }

  private func answer() async -> Answer {
    defer { asking = nil }
    do throws(AuthError) {
      let known = try await published()
      self.known = known
      return .success(known)
    } catch {
      return .failure(error)
    }
  }

  private func published() async throws(AuthError) -> Known {
    let path = api.tenant.path
    let configuration = try await api.document(
      Configuration.self,
      at: path + "/v2.0/.well-known/openid-configuration"
    )
    // Only the path counts: no document sends us to another host (S26).
    let keysPath = configuration.keysAddress.flatMap { URL(string: $0)?.path(percentEncoded: true) }
    let set = try await api.document(
      KeySet.self,
      at: keysPath.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path + "/discovery/v2.0/keys"
    )
    let keys = JWTKeyCollection()
    for key in set.keys.compactMap(\.value) where key.keyType == .rsa {
      // A key that cannot be used is left out.
      _ = try? await keys.add(jwk: key)
    }
    return Known(issuer: configuration.issuer, keys: keys, askedAt: api.clock.now)
  }
}
