internal import HTTPTypes

/// The calls by which a signed-in person sets up second factors.
///
/// Source: clerk-frontend-api.md section 3.10.
enum SecondFactorRoute: Hashable, Sendable {
  case createAuthenticator, attemptAuthenticator, deleteAuthenticator
  case createBackupCodes
  case readPhones, createPhone
  case readPhone(String), updatePhone(String), deletePhone(String)
  case preparePhone(String), attemptPhone(String)

  init?(_ call: ClerkCall) {
    let path = call.path
    guard path.first == "me", path.count >= 2 else { return nil }
    switch (call.method, path[1], path.count) {
    case (.post, "totp", 2): self = .createAuthenticator
    case (.delete, "totp", 2): self = .deleteAuthenticator
    case (.post, "totp", 3) where path[2] == "attempt_verification": self = .attemptAuthenticator
    case (.post, "backup_codes", 2): self = .createBackupCodes
    case (.get, "phone_numbers", 2): self = .readPhones
    case (.post, "phone_numbers", 2): self = .createPhone
    case (.get, "phone_numbers", 3): self = .readPhone(String(path[2]))
    case (.patch, "phone_numbers", 3): self = .updatePhone(String(path[2]))
    case (.delete, "phone_numbers", 3): self = .deletePhone(String(path[2]))
    case (.post, "phone_numbers", 4) where path[3] == "prepare_verification":
      self = .preparePhone(String(path[2]))
    case (.post, "phone_numbers", 4) where path[3] == "attempt_verification":
      self = .attemptPhone(String(path[2]))
    default: return nil
    }
  }
}

extension ClerkTransaction {
  func carryOut(_ route: SecondFactorRoute) throws -> ClerkReply {
    switch route {
    case .createAuthenticator: try createAuthenticator()
    case .attemptAuthenticator: try attemptAuthenticator()
    case .deleteAuthenticator: try deleteAuthenticator()
    case .createBackupCodes: try createBackupCodes()
    case .readPhones: try readPhones()
    case .createPhone: try createPhone()
    case .readPhone(let id): try readPhone(id)
    case .updatePhone(let id): try updatePhone(id)
    case .deletePhone(let id): try deletePhone(id)
    case .preparePhone(let id): try preparePhone(id)
    case .attemptPhone(let id): try attemptPhone(id)
    }
  }
}
