import HTTPExchange
import Testing

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("MSAL's errors (section 5)")
struct MSALTests {
  /// The list of section 5.1, with where each leads by section 5.5.
  static let listed: [(code: Int, treatment: Treatment)] = [
    (-50000, .banner(.unrecognised)), (-50001, .explain(.deviceRequirementUnmet)),
    (-50002, .signInAgain), (-50003, .decideOnPermissions),
    (-50004, .explain(.protectionPolicyRequired)), (-50005, .cancelled),
    (-50006, .banner(.serviceAnsweredNonsense)), (-50007, .explain(.deviceRequirementUnmet)),
    (-50008, .explain(.deviceRequirementUnmet)), (-50142, .resetPassword),
  ]

  /// The numbers of section 5.2.
  static let internalCodes: [Int] =
    Array(42000...42011) + [42101, 42102, 42104, 42106] + Array(42401...42405)
    + [42501, 42600, 42602] + Array(42700...42709) + Array(42711...42745)

  @Test("every error of the list has its page or banner (5.1, 5.5)")
  func runtime() {
    #expect(Set(MSALError.allCases.map(\.rawValue)) == Set(Self.listed.map(\.code)))
    for (code, treatment) in Self.listed {
      #expect(MSALError(rawValue: code)?.treatment == treatment)
    }
  }

  @Test("every internal error is generic on the page, and named in the log (5.2)")
  func internals() {
    let codes = MSALInternalError.allCases.map { -$0.rawValue }
    #expect(Set(codes) == Set(Self.internalCodes))
    for error in MSALInternalError.allCases {
      let isFault = error == .unhandledResponse
      #expect(error.treatment == .banner(isFault ? .serviceAnsweredNonsense : .unrecognised))
      #expect(error.name.contains("(\(error.rawValue))"))
    }
  }

  @Test(
    "the error of a protocol has one name of MSAL's (5.3)",
    arguments: [
      ("invalid_request", -42002), ("invalid_client", -42003), ("invalid_grant", -42004),
      ("invalid_scope", -42005), ("unauthorized_client", -42006), ("INVALID_SCOPE", -42005),
      ("interaction_required", -50002), ("access_denied", -50005), ("server_error", -50006),
      ("never_heard_of", -42104),
    ]
  )
  func classified(word: String, code: Int) {
    let failure = MSALFailure(ServerError(error: word))
    #expect((failure.internalError?.rawValue ?? failure.error.rawValue) == code)
  }

  @Test("a blocked contact is no cancelling; a policy and a changed password have their own names")
  func special() {
    let blocked = ServerError(error: "access_denied", suberror: "provider_blocked_by_rep")
    #expect(MSALFailure(blocked).error == .internal)
    let policy = ServerError(
      error: "unauthorized_client",
      suberror: "protection_policy_required"
    )
    #expect(MSALFailure(policy).error == .serverProtectionPoliciesRequired)
    let password = ServerError(error: "invalid_request", codes: [50142])
    #expect(MSALFailure(password).error == .serverInvalidRequestResetPasswordRequired)
  }

  @Test("every fault on the way has its banner, and its name in the log (5.5)")
  func transport() {
    for fault in URLFault.allCases {
      #expect(fault.treatment.reason == fault.problem.reason)
      let error = AuthError(.timedOut, traceID: "t")
      #expect(error.diagnosis == "NSURLError.timedOut(-1001)")
    }
    #expect(URLFault(.offline) == .notConnectedToInternet)
    #expect(URLFault(.offline).problem.reason == .offline)
  }
}
