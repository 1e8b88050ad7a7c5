/// A way to prove one's identity, as the auth API offers it for this account.
public struct Factor: Hashable, Codable, Sendable {
  /// The raw values are the names that forms and their JSON twins use.
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    case password
    case emailCode = "email_code"
    case phoneCode = "phone_code"
    case emailLink = "email_link"
    case authenticatorCode = "totp"
    case backupCode = "backup_code"
    case resetPasswordEmailCode = "reset_password_email_code"
    case resetPasswordPhoneCode = "reset_password_phone_code"
    case enterprise
  }

  public var kind: Kind
  /// Where the code or link goes, masked as the auth API gives it (`m***@example.com`).
  public var destination: String?
  /// The provider's own identifier of the contact or method.
  public var reference: String?

  public init(kind: Kind, destination: String? = nil, reference: String? = nil) {
    self.kind = kind
    self.destination = destination
    self.reference = reference
  }

  /// Whether choosing it makes the auth API send a message.
  public var sendsMessage: Bool {
    switch kind {
    case .emailCode, .phoneCode, .emailLink, .resetPasswordEmailCode, .resetPasswordPhoneCode: true
    case .password, .authenticatorCode, .backupCode, .enterprise: false
    }
  }

  /// Whether it replaces the password rather than signing in.
  public var resetsPassword: Bool {
    switch kind {
    case .resetPasswordEmailCode, .resetPasswordPhoneCode: true
    case .password, .emailCode, .phoneCode, .emailLink, .authenticatorCode, .backupCode,
      .enterprise:
      false
    }
  }
}

/// A factor under the name by which a form chooses it.
public struct NamedFactor: Hashable, Sendable {
  /// The name of its kind, or of its channel; a second factor of the same name ends in `-2`, a
  /// third in `-3`.
  public var name: String
  public var factor: Factor
}

extension Sequence<Factor> {
  /// The factors with their names, in the same order.
  public var named: [NamedFactor] { numbered(as: \.kind.rawValue) }

  /// The factors under the given names; from the second of the same name on, they are numbered.
  func numbered(as name: (Factor) -> String) -> [NamedFactor] {
    var counts: [String: Int] = [:]
    return map { factor in
      let base = name(factor)
      counts[base, default: 0] += 1
      let count = counts[base, default: 1]
      return NamedFactor(name: base + (count > 1 ? "-\(count)" : ""), factor: factor)
    }
  }
}
