internal import AuthFlow

/// The factors of a list that these pages can ask for.
struct OfferedFactors: Hashable, Sendable {
  /// The factors in the API's order.
  var usable: [Factor]
  /// The second factor that is used without asking.
  var preferredSecond: Factor?

  /// A longer list would not fit where the state is kept.
  private static let longestList = 16

  /// Reads the factors of one stage.
  ///
  /// - Parameters:
  ///   - resources: As the API lists them.
  ///   - areSecond: Whether they are second factors. Only those with a rank are then usable: the
  ///     pages have no second step for others, such as a password or a link.
  init(_ resources: [FactorResource], areSecond: Bool = false) {
    let known = resources.compactMap { resource in
      Factor(resource).map { (factor: $0, resource: resource) }
    }
    let usable = known.filter { !areSecond || $0.factor.kind.rankAsSecond != nil }
      .prefix(Self.longestList)
    self.usable = usable.map(\.factor)
    preferredSecond = usable.compactMap { $0.factor.kind.rankAsSecond }.min()
      .flatMap { rank in Self.first(ranked: rank, in: Array(usable)) }
  }

  /// The default one of those with a rank, else the primary one, else the first.
  private static func first(
    ranked rank: Int,
    in factors: [(factor: Factor, resource: FactorResource)]
  ) -> Factor? {
    let candidates = factors.filter { $0.factor.kind.rankAsSecond == rank }
    let chosen =
      candidates.first { $0.resource.isDefault } ?? candidates.first { $0.resource.isPrimary }
      ?? candidates.first
    return chosen?.factor
  }
}

extension Factor.Kind {
  /// The rank for being the second factor that is used without asking, lowest first; nil if it is
  /// not a second factor here.
  fileprivate var rankAsSecond: Int? {
    switch self {
    case .authenticatorCode: 0
    case .phoneCode: 1
    case .emailCode: 2
    case .backupCode: 3
    case .password, .emailLink, .resetPasswordEmailCode, .resetPasswordPhoneCode, .enterprise: nil
    }
  }
}

extension FactorResource {
  /// Whether the factor continues in a browser, which is used only if nothing else is offered.
  var needsBrowser: Bool { Factor.needsBrowser(strategy: strategy) }
}

extension Factor {
  /// Returns nil for a strategy that these pages cannot ask for, such as a passkey or a wallet.
  fileprivate init?(_ resource: FactorResource) {
    guard let kind = Self.kind(strategy: resource.strategy) else { return nil }
    self.init(
      kind: kind,
      destination: resource.safeIdentifier ?? resource.connectionName,
      // A browser's method is identified by its strategy, since there is no contact.
      reference: kind == .enterprise
        ? resource.strategy : resource.emailAddressID ?? resource.phoneNumberID
    )
  }

  /// Whether a strategy continues at a provider's page.
  static func needsBrowser(strategy: String) -> Bool {
    kind(strategy: strategy) == .enterprise || strategy.hasPrefix("oauth_")
  }

  /// The kind of factor that a strategy is; nil if these pages have no step for it.
  static func kind(strategy: String) -> Kind? {
    switch strategy {
    case "enterprise_sso", "saml": .enterprise
    // The kinds are named after the strategies; `enterprise` itself is not one.
    case Kind.enterprise.rawValue: nil
    default: Kind(rawValue: strategy)
    }
  }
}
