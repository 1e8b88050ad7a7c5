import Foundation

@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

/// The examples of the Frontend API reference, by section, with the parts that tests vary.
enum Fixture {
  static let signInID = "sia_39aKg5PzJ1nVtX6wMqB3rDy7kUe"
  static let sessionID = "sess_39aKjBdU7yHmQ0iCwS5xNf3gVtL"

  static let password = #"{"strategy": "password"}"#
  static let emailCode = contact("email_code", "mara@example.com", email)
  static let resetByEmail = contact("reset_password_email_code", "mara@example.com", email)
  static let phoneCode = contact("phone_code", "+*******0123", phone)
  static let resetByPhone = contact("reset_password_phone_code", "+*******0123", phone)
  static let totp = #"{"strategy": "totp"}"#
  static let backupCode = #"{"strategy": "backup_code"}"#

  static let email = #""email_address_id": "idn_39aKlGgX1aKqT4lFzV9aRi7jYwO""#
  static let phone = #""phone_number_id": "idn_39aKmHhY2bLrU5mGaW0bSj8kZxP""#

  static func contact(_ strategy: String, _ identifier: String, _ id: String) -> String {
    #"{"strategy": "\#(strategy)", "safe_identifier": "\#(identifier)", \#(id), "primary": true}"#
  }

  /// As in <doc:ClerkSigningIn#The-sign-in-resource>, with what varies.
  static func signIn(
    _ status: String = "needs_first_factor",
    first: [String] = [password, emailCode, resetByEmail, phoneCode, resetByPhone],
    second: [String]? = nil,
    firstVerification: String = "null",
    secondVerification: String = "null",
    identifier: String = "mara@example.com",
    session: String? = nil
  ) -> String {
    """
    {
      "object": "sign_in_attempt", "id": "\(signInID)", "status": "\(status)",
      "supported_identifiers": ["email_address", "phone_number"],
      "supported_first_factors": [\(first.joined(separator: ","))],
      "supported_second_factors": \(second.map { "[\($0.joined(separator: ","))]" } ?? "null"),
      "first_factor_verification": \(firstVerification),
      "second_factor_verification": \(secondVerification),
      "identifier": "\(identifier)",
      "user_data": {"first_name": "Mara", "last_name": null, "has_image": false},
      "created_session_id": \(session.map { "\"\($0)\"" } ?? "null"),
      "abandon_at": 1767312000000, "client_trust_state": "new"
    }
    """
  }

  /// As in <doc:ClerkSigningIn#Verifications>.
  static func otp(_ strategy: String = "email_code") -> String {
    """
    {"object": "verification_otp", "status": "unverified", "strategy": "\(strategy)",
     "attempts": 0, "expire_at": 1767226200000}
    """
  }

  /// As in <doc:ClerkTransport#Answers>, <doc:ClerkClients#The-client-resource>.
  static func session(
    id: String = sessionID,
    status: String = "active",
    tasks: String = "null",
    organization: String = "null",
    extra: String = ""
  ) -> String {
    """
    {
      "object": "session", "id": "\(id)", "status": "\(status)", "expire_at": 1767830400000,
      "abandon_at": 1769817600000, "last_active_at": 1767225600000,
      "last_active_organization_id": \(organization),
      "last_active_token": {"object": "token", "jwt": "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"},
      "actor": null, "tasks": \(tasks), "factor_verification_age": [0, -1], \(extra)
      "public_user_data": {
        "user_id": "user_39aKkEeV9zIoR2jDxT7yPg5hWuM", "first_name": "Mara", "last_name": null,
        "image_url": "https://img.example.test/mara.png", "has_image": false,
        "identifier": "mara@example.com", "username": null
      },
      "created_at": 1767225600000, "updated_at": 1767225600000
    }
    """
  }

  /// As in <doc:ClerkTransport#Answers>.
  static func client(sessions: [String] = [], signIn: String = "null") -> String {
    """
    {
      "object": "client", "id": "client_39aKf0QmT2xWvR7uYbN4cLs8eHd",
      "sessions": [\(sessions.joined(separator: ","))], "sign_in": \(signIn), "sign_up": null,
      "last_active_session_id": null, "last_authentication_strategy": "password",
      "cookie_expires_at": null, "captcha_bypass": false,
      "created_at": 1767225600000, "updated_at": 1767225600000
    }
    """
  }

  /// The session of these examples, as the flows see it.
  static func mara(tasks: [SessionTask] = []) -> Session {
    Session(
      id: sessionID,
      user: Session.User(
        id: "user_39aKkEeV9zIoR2jDxT7yPg5hWuM",
        identifier: "mara@example.com",
        firstName: "Mara"
      ),
      tasks: tasks,
      expiresAt: Date(timeIntervalSince1970: 1_767_830_400)
    )
  }
}

/// 2026-01-01 00:00 UTC: the time at which the examples were made.
let now = Date(timeIntervalSince1970: 1_767_225_600)

/// A provider over a script, at the time of the examples.
func provider(_ transport: ScriptedTransport) -> ClerkProvider {
  ClerkProvider(transport: transport, clock: WallClock { now }, environmentLifetime: .zero)
}

func memory(token: String? = "token-1") -> ProviderMemory {
  var memory = ProviderMemory()
  memory.clientToken = token
  return memory
}

extension Problem {
  /// Without what the API itself said, which `ErrorDetailTests` are about.
  var plain: Problem { Problem(reason, at: field, code: code, message: message) }
}

extension AuthError {
  var plain: AuthError {
    AuthError(problems.map(\.plain), advice: advice, traceID: traceID) ?? self
  }
}

extension Outcome {
  var plain: Self {
    switch self {
    case .moved: self
    case .refused(let error, let standing): .refused(error.plain, at: standing)
    }
  }
}
