public import AuthFlow

/// Something that is handed over on one page and shown nowhere else.
public enum Handover: Sendable {
  /// The secret for an authenticator app.
  case authenticator(AuthenticatorSecret)
  /// Codes that work once each.
  case backupCodes(BackupCodes, download: Link)

  /// The links that belong to it.
  var links: [Link] {
    switch self {
    case .authenticator(let secret):
      [Link("otpauth", href: secret.address, words: .page(.setupOpenApp))]
    case .backupCodes(_, let download): [download]
    }
  }
}

extension AuthenticatorSecret {
  /// `JBSW Y3DP …`: the secret in groups of four, as it is read aloud and typed.
  var groups: String {
    let letters = Array(base32)
    return stride(from: 0, to: letters.count, by: 4).map { start in
      String(letters[start..<min(start + 4, letters.count)])
    }.joined(separator: " ")
  }
}
