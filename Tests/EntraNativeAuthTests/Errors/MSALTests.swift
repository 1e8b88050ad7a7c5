import HTTPExchange
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("MSAL's errors")
struct MSALTests {
  /// The list of <doc:EntraLibraryErrors#Runtime-errors>, with where each leads by
  /// <doc:EntraLibraryErrors#What-each-error-becomes>.
  static let listed: [(code: Int, treatment: Treatment)] = [
    (-50000, .banner(.unrecognised)), (-50001, .explain(.deviceRequirementUnmet)),
    (-50002, .signInAgain), (-50003, .decideOnPermissions),
    (-50004, .explain(.protectionPolicyRequired)), (-50005, .cancelled),
    (-50006, .banner(.serviceAnsweredNonsense)), (-50007, .explain(.deviceRequirementUnmet)),
    (-50008, .explain(.deviceRequirementUnmet)), (-50142, .resetPassword),
  ]

  /// The list of <doc:EntraLibraryErrors#Internal-errors>, without the prefixes of its groups.
  static let internals = """
    -42000 invalidParameter
    -42001 redirectSchemeNotRegistered
    -42002 invalidRequest
    -42003 invalidClient
    -42004 invalidGrant
    -42005 invalidScope
    -42006 unauthorizedClient
    -42007 unhandledResponse
    -42008 unexpected
    -42009 unexpectedHttpResponse
    -42010 failedAuthorityValidation
    -42011 invalidRedirectURI
    -42101 mismatchedUser
    -42102 ambiguousAccount
    -42104 authorizationFailed
    -42106 accountRequired
    -42401 sessionCanceled
    -42402 interactiveSessionAlreadyRunning
    -42403 noViewController
    -42404 attemptToOpenURLFromExtension
    -42405 uiNotSupportedInExtension
    -42501 invalidState
    -42600 invalidResponse
    -42602 nonHttpsRedirect
    -42700 responseNotReceived
    -42701 noResumeStateFound
    -42702 badResumeStateFound
    -42703 mismatchedResumeState
    -42704 responseHashMissing
    -42705 corruptedResponse
    -42706 responseDecryptionFailed
    -42707 responseHashMismatch
    -42708 keyFailedToCreate
    -42709 keyNotFound
    -42711 unknown
    -42712 applicationTokenWriteFailed
    -42713 applicationTokenReadFailed
    -42714 notAvailable
    -42715 linkServerConfirmationError
    -42716 linkAcquireTokenError
    -42717 linkTokenAcquiredWrongTenant
    -42718 linkError
    -42719 notCompliant
    -42720 complianceTimeout
    -42721 complianceUnknown
    -42722 invalidLinkPayload
    -42723 createController
    -42724 linkConfigNotFound
    -42725 invalidLinkTokenConfig
    -42726 wpjDeviceRegistrationFailed
    -42727 wpjAccountIdentifierNil
    -42728 wpjAcquireTokenError
    -42729 retryRequired
    -42730 unknownStatusWebCP
    -42731 troubleshootingCreateController
    -42732 troubleshootingAcquireToken
    -42733 linkServerConfirmationTimeout
    -42734 troubleshootingRequired
    -42735 troubleshootingResultUnknown
    -42736 deviceNotRegistered
    -42737 keyIdMismatch
    -42738 errorHandlingConfigNotFound
    -42739 biometricPolicyMismatch
    -42740 invalidPasskeyExtension
    -42741 saveLoginConfigFailure
    -42742 passkeyLAError
    -42743 biometricsNotAvailable
    -42744 biometricsNotEnrolled
    -42745 invalidASWebAuthenticationURL
    """

  @Test("every error of the list has its page or banner")
  func runtime() {
    #expect(Set(MSALError.allCases.map(\.rawValue)) == Set(Self.listed.map(\.code)))
    for (code, treatment) in Self.listed {
      #expect(MSALError(rawValue: code)?.treatment == treatment)
    }
  }

  @Test("every internal error is generic on the page, and named in the log")
  func internalErrors() throws {
    let listed = Self.internals.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(listed.count == MSALInternalError.allCases.count)
    for entry in listed {
      let error = try #require(Int(entry[0]).flatMap(MSALInternalError.init(rawValue:)))
      let name = "\(error)".lowercased()
      #expect(name == entry[1].lowercased() || name == "broker\(entry[1].lowercased())")
    }
    for error in MSALInternalError.allCases {
      let isFault = error == .unhandledResponse
      #expect(error.treatment == .banner(isFault ? .serviceAnsweredNonsense : .unrecognised))
      #expect(error.name.contains("(\(error.rawValue))"))
    }
  }

  @Test(
    "the error of a protocol has one name of MSAL's",
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

  @Test("every fault on the way has its banner, and its name in the log")
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
