package import AuthFlow
import Testing

/// What a person types: any text if it does not matter which, or exactly the given one.
extension Identifier {
  package static func typed(_ text: String = "mara@example.com") throws -> Identifier {
    try #require(Identifier(typed: text))
  }
}

extension Password {
  package static func typed(_ text: String = "correct horse & co") throws -> Password {
    try #require(Password(typed: text))
  }
}

extension VerificationCode {
  package static func typed(_ text: String = "424242") throws -> VerificationCode {
    try #require(VerificationCode(typed: text))
  }
}
