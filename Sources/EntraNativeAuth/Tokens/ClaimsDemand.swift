internal import AuthFlow

/// Claims that were demanded of a person, and that no token has satisfied yet.
///
/// Somebody else who signs in with the same browser is not asked for them.
///
/// Source: <doc:EntraTokenRenewal#Claims-challenges>.
struct ClaimsDemand: Codable, Hashable, Sendable {
  /// A JSON object as text.
  let claims: String
  /// The names that the person goes by, in lower case.
  private let identifiers: [String]

  /// The longest claims that are kept: a visit has to fit into a few cookies.
  static let bytesLimit = 4_096

  /// Nil for claims that are too long to be kept.
  init?(_ claims: String, of identifiers: [String]) {
    guard claims.utf8.count <= Self.bytesLimit else { return nil }
    self.claims = claims
    self.identifiers = identifiers.map { $0.lowercased() }
  }

  fileprivate func isOf(_ identifier: String) -> Bool {
    identifiers.contains(identifier.lowercased())
  }
}

extension ProviderMemory {
  /// The claims that are demanded of the person with that name, if any.
  func demandedClaims(of identifier: String) -> String? {
    claimsDemand.flatMap { $0.isOf(identifier) ? $0.claims : nil }
  }
}
