public import Foundation

/// A kind of second factor that can be set up.
///
/// The raw values are the names of the forms that choose it.
public enum SecondFactorMethod: String, Hashable, Codable, Sendable, CaseIterable {
  case authenticator, phone
}

/// The progress of setting up a second factor.
///
/// Rules: P-mfasetup.
public enum SecondFactorSetup: Hashable, Codable, Sendable {
  case methodRequired
  /// The app has to be given the secret; its first code proves that it has it.
  case authenticatorRequired(AuthenticatorPrompt)
  case phoneNumberRequired
  /// A code is on its way to the phone.
  case codeRequired(PhonePrompt)
  /// The second factor works; these codes are shown now and never again.
  case backupCodesOffered(BackupCodes)
}

/// Asks for the first code of an authenticator app that was given this secret.
public struct AuthenticatorPrompt: Hashable, Codable, Sendable {
  public let secret: AuthenticatorSecret
  public let codeLength: Int

  @_spi(Provider) public init(secret: AuthenticatorSecret, codeLength: Int = 6) {
    self.secret = secret
    self.codeLength = codeLength
  }
}

/// The secret from which an authenticator app computes its codes; shown only where the app is set
/// up.
public struct AuthenticatorSecret: Hashable, Codable, Sendable, Redacted {
  /// Base32, upper case, without padding (RFC 4648, section 6).
  public let base32: String
  /// The same with issuer and account, as apps read it: `otpauth://totp/…`.
  public let address: String

  /// Returns nil where the text is not base32, or the address is not an `otpauth://totp/` address
  /// of at most 2,000 bytes.
  @_spi(Provider) public init?(base32 text: String, address: String) {
    let base32 = text.filter { $0 != " " && $0 != "=" }.uppercased()
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    guard !base32.isEmpty, base32.utf8.allSatisfy(alphabet.contains),
      address.lowercased().hasPrefix("otpauth://totp/"), address.utf8.count <= 2_000
    else { return nil }
    self.base32 = base32
    self.address = address
  }

  public static let redaction = "<authenticator secret>"
}

/// Asks for the code that was sent to a phone that is to become a second factor.
public struct PhonePrompt: Hashable, Codable, Sendable {
  public let phoneNumber: String
  public internal(set) var code: ExpectedCode
  /// The provider's own identifier of the number.
  @_spi(Provider) public let reference: String

  @_spi(Provider) public init(
    phoneNumber: String,
    reference: String,
    codeLength: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil
  ) {
    self.phoneNumber = phoneNumber
    self.reference = reference
    code = ExpectedCode(
      length: codeLength,
      expiresAt: expiresAt,
      resendAvailableAt: resendAvailableAt
    )
  }
}

/// Codes for when the second factor is lost, each good once; at least one.
public struct BackupCodes: Hashable, Codable, Sendable, Redacted {
  public let codes: [String]

  /// Returns nil where there is none.
  @_spi(Provider) public init?(_ codes: [String]) {
    guard !codes.isEmpty else { return nil }
    self.codes = codes
  }

  public static let redaction = "<backup codes>"
}
