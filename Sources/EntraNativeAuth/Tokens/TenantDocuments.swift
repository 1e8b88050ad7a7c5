internal import HTTPExchange
internal import AuthFlow
internal import Foundation

/// What the tenant publishes: who issues its tokens, and the keys that sign them.
///
/// Kept for a day; asked for anew where a token names a key that is not known, but not more often
/// than `refetchInterval`.
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

  private struct Known {
    var issuer: String
    var keys: SigningKeys
    var askedAt: Date
  }

  private let api: NativeAPI
  private let refetchInterval: TimeInterval
  private let lifetime: TimeInterval = 86_400
  private var known: Known?

  init(api: NativeAPI, refetchInterval: TimeInterval) {
    self.api = api
    self.refetchInterval = refetchInterval
  }

  /// Makes sure that a token can be judged, before one is asked for.
  ///
  /// - Throws: `AuthError` where the documents cannot be had.
  func prepare() async throws(AuthError) { _ = try await current() }

  func issuer() async throws(AuthError) -> String { try await current().issuer }

  /// Checks signature and claims.
  ///
  /// - Throws: `AuthError` for a token that is not good, or documents that cannot be had.
  func verified(
    _ token: String,
    nonce: String? = nil
  ) async throws(AuthError) -> IDToken {
    guard let token = SignedToken(token) else {
      throw .nonsense(traceID: nil, "id-token-algorithm")
    }
    var known = try await current()
    var read = token.claims(IDToken.self, provenBy: known.keys)
    if read == nil, api.clock.now.timeIntervalSince(known.askedAt) >= refetchInterval {
      known = try await fetch()
      read = token.claims(IDToken.self, provenBy: known.keys)
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

  private func current() async throws(AuthError) -> Known {
    let now = api.clock.now
    if let known, abs(now.timeIntervalSince(known.askedAt)) < lifetime { return known }
    return try await fetch()
  }

  private func fetch() async throws(AuthError) -> Known {
    let path = api.tenant.path
    let configuration = try await api.document(
      Configuration.self,
      at: path + "/v2.0/.well-known/openid-configuration"
    )
    // Only the path counts: no document sends us to another host (S26).
    let keysPath = configuration.keysAddress.flatMap { URL(string: $0)?.path(percentEncoded: true) }
    let keys = try await api.document(
      SigningKeys.self,
      at: keysPath.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path + "/discovery/v2.0/keys"
    )
    let known = Known(issuer: configuration.issuer, keys: keys, askedAt: api.clock.now)
    self.known = known
    return known
  }
}
