@testable import Emulators
import ErrorCodes
import Testing

@Suite("The catalogue of Clerk's errors and the emulator's refusals")
struct ErrorCatalogueTests {
  static let refusals: [ClerkRefusal] = [
    .identifierNotFound, .strategyForUserInvalid, .noSecondFactors, .stateInvalid, .userBanned,
    .userLocked(secondsLeft: nil), .verificationMissing, .verificationExpired,
    .verificationFailed, .verificationAlreadyVerified, .verificationStrategyInvalid,
    .codeTooSoon(retryAfter: 30), .authenticationInvalid, .clientNotFound, .resourceNotFound,
    .resourceForbidden, .identificationClaimed, .transferInvalid,
    .missing("identifier"), .empty("identifier"), .unknownParameter("identifier"),
    .repeated("identifier"), .invalidValue("identifier"), .disabledValue("strategy"),
    .resourceNotFound(parameter: "email_address_id"),
    ClerkRefusal(422, .passwordIncorrect), ClerkRefusal(422, .codeIncorrect),
    ClerkRefusal(422, .passwordOrIdentifierIncorrect), ClerkRefusal(422, .passwordCompromised),
    ClerkRefusal(422, .passwordPwned("password")),
    ClerkRefusal(422, PasswordFlaw.tooLong(maximum: 72).problem("password")),
    ClerkRefusal(422, PasswordFlaw.tooManyBytes(maximum: 72).problem("password")),
    ClerkRefusal(422, .lockoutWarning(attemptsLeft: 1)), .missingPermission, .lastAdministrator,
    .defaultSecondFactorStays, .membershipQuotaExceeded, .organizationInvitationNotPending,
    .organizationInvitationRevoked,
  ]

  @Test("agree in status, parameter and sentence", arguments: refusals)
  func same(refusal: ClerkRefusal) throws {
    let problem = try #require(refusal.problems.first)
    let listed = try #require(ClerkErrorCode.listed.first { $0.code == problem.code })
    #expect(listed.status == refusal.status)
    #expect(listed.meaning == problem.longMessage)
    #expect(problem.meta.first { $0.name == "param_name" }?.value.string == listed.parameter)
  }
}
