import HTTPExchange
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("MSAL's errors")
struct MSALTests {
  /// The list of <doc:EntraLibraryErrors#Runtime-errors>, with the treatment of each by
  /// <doc:EntraLibraryErrors#What-each-error-becomes>.
  static let listed: [(code: Int, treatment: Treatment)] = [
    (-50000, .banner(.unrecognised)), (-50001, .explain(.deviceRequirementUnmet)),
    (-50002, .signInAgain), (-50003, .decideOnPermissions),
    (-50004, .explain(.protectionPolicyRequired)), (-50005, .cancelled),
    (-50006, .banner(.serviceAnsweredNonsense)), (-50007, .explain(.deviceRequirementUnmet)),
    (-50008, .explain(.deviceRequirementUnmet)), (-50142, .resetPassword),
  ]

  @Test("every error of the list has its page or banner")
  func runtime() {
    #expect(Set(MSALError.allCases.map(\.rawValue)) == Set(Self.listed.map(\.code)))
    for (code, treatment) in Self.listed {
      #expect(MSALError(rawValue: code)?.treatment == treatment)
    }
  }

  @Test(
    "each error of the protocol has one of MSAL's names",
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

  @Test("a blocked contact is not a cancellation; a policy and a reset have their own names")
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

  @Test(
    "every fault of the transport has its reason, and its name in the log",
    arguments: [
      (.offline, .offline, "notConnectedToInternet(-1009)"),
      (.timedOut, .serviceTimedOut, "timedOut(-1001)"),
      (.refused, .serviceUnreachable, "cannotConnectToHost(-1004)"),
      (.tlsFailed, .serviceUnreachable, "secureConnectionFailed(-1200)"),
      (.busy, .serviceUnreachable, "cannotConnectToHost(-1004)"),
      (.connectionLost, .serviceAnswerLost, "networkConnectionLost(-1005)"),
      (.malformedAnswer, .serviceAnsweredNonsense, "badServerResponse(-1011)"),
    ] as [(TransportError, Reason, String)]
  )
  func transport(fault: TransportError, reason: Reason, name: String) {
    let error = AuthError(fault, traceID: "t")
    #expect(error.problems.map(\.reason) == [reason])
    #expect(error.diagnosis == "NSURLError.\(name)")
  }
}
