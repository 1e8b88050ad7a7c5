internal import AuthFlow

/// What the strategies of a list of factors come to.
struct OfferedFactors: Hashable, Sendable {
  /// The factors these pages can ask for, in the API's order.
  var usable: [Factor]
  /// The one to take unasked as second factor.
  var preferredSecond: Factor?

  /// A list longer than this would not fit where the state is kept.
  private static let longestList = 16

  /// Reads the factors of one stage.
  ///
  /// - Parameters:
  ///   - resources: As the API lists them.
  ///   - takesLinks: Whether a link may prove this stage; for a second factor these pages have none.
  init(_ resources: [FactorResource], takesLinks: Bool = true) {
    let known = resources.compactMap { resource in
      Factor(resource).map { (factor: $0, resource: resource) }
    }
    let usable = known.filter { takesLinks || $0.factor.kind != .emailLink }
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
  /// How early it is taken unasked where a second factor is due; nil for what never is.
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
  /// The way out where nothing else is offered.
  var needsBrowser: Bool { Factor.needsBrowser(strategy: strategy) }
}

extension Factor {
  /// Returns nil for a strategy that these pages cannot ask for, such as a passkey or a wallet.
  fileprivate init?(_ resource: FactorResource) {
    guard let kind = Self.kind(strategy: resource.strategy) else { return nil }
    self.init(
      kind: kind,
      destination: resource.safeIdentifier ?? resource.connectionName,
      // A browser's method is named anew when it is chosen; there is no contact to name.
      reference: kind == .enterprise
        ? resource.strategy : resource.emailAddressID ?? resource.phoneNumberID
    )
  }

  /// Whether a strategy goes on at a provider's page.
  static func needsBrowser(strategy: String) -> Bool {
    kind(strategy: strategy) == .enterprise || strategy.hasPrefix("oauth_")
  }

  /// What a strategy is to these pages; nil for one that they have no step for.
  static func kind(strategy: String) -> Kind? {
    switch strategy {
    case "enterprise_sso", "saml": .enterprise
    // The kinds are named after the strategies; `enterprise` itself is not one.
    case Kind.enterprise.rawValue: nil
    default: Kind(rawValue: strategy)
    }
  }
}
