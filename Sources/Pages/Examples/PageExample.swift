@_spi(Provider) import AuthFlow
public import Foundation
import Localization

/// A page in one named state.
///
/// The examples drive the render tests, the accessibility checks and the atlas.
public struct PageExample: Sendable, CustomStringConvertible {
  /// `sign-in-code/wrong-code`: the page and its state; unique.
  public let name: String
  public let page: any Page
  public let frame: PageFrame

  public var description: String { name }

  /// The part of the name before its slash; ``state`` is the one after it.
  public var pageName: String { String(name.prefix { $0 != "/" }) }
  public var state: String { String(name.dropFirst(pageName.count + 1)) }

  /// The same frame in another language, and over another API and in another world where one is emulated.
  func frame(
    in language: LanguageTag,
    over api: String? = nil,
    of world: String? = nil
  ) -> PageFrame {
    var frame = frame
    frame.language = language
    if let api { frame.emulation?.api = api }
    if let world { frame.emulation?.world = world }
    return frame
  }

  /// The moment that all examples are at: 21 November 2026, 14:23 UTC.
  public static let now = Date(timeIntervalSince1970: 1_795_270_980)

  /// Every page in every state.
  public static let all: [PageExample] =
    signInExamples + codeExamples + linkExamples + signUpExamples + passwordResetExamples
    + sessionExamples + taskExamples + endExamples + enrolmentExamples + accessExamples

  init(
    _ name: String,
    _ page: any Page,
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    lacksCookie: Bool = false,
    notices: [Notice] = [],
    timeZone: TimeZone? = nil,
    isEmulated: Bool = true,
    hasWorkbench: Bool = true,
    supportAddress: String? = "support@example.com",
    languageMenu: LanguageMenu? = nil
  ) {
    self.name = name
    self.page = page
    frame = PageFrame(
      emulation: isEmulated
        ? .init(
          api: "Clerk",
          world: "main",
          inboxPath: hasWorkbench ? "/backstage/inbox" : nil,
          news: .init(
            messageCount: 2,
            code: page.soughtCode.map { _ in .init(digits: "612221", path: "/backstage/inbox") }
          )
        ) : nil,
      supportAddress: supportAddress,
      languageMenu: languageMenu,
      error: error,
      refusal: refusal,
      lacksCookie: lacksCookie,
      notices: notices,
      losesPassword: error != nil || refusal != nil,
      reference: "5f1d0c2e",
      now: Self.now,
      timeZone: timeZone,
      formToken: { "token-\($0.path)" }
    )
  }
}

/// What the examples are made of.
extension PageExample {
  static func later(_ seconds: Int) -> Date { now.addingTimeInterval(TimeInterval(seconds)) }

  static func instance(
    _ identifiers: [Identifier.Kind] = [.emailAddress],
    form: InstanceDescription.SignInForm = .identifierAndPassword,
    signUp mode: SignUpForm.Mode = .open
  ) -> InstanceDescription {
    var instance = InstanceDescription.unknown
    instance.signInIdentifiers = identifiers
    instance.signInForm = form
    instance.signUp.mode = mode
    return instance
  }

  static func attempt(
    first: [Factor] = [password, email],
    second: [Factor] = [],
    endsAt: Date? = later(3_300)
  ) -> SignInAttempt? {
    Identifier(typed: "mia@example.com").map { identifier in
      SignInAttempt(
        identifier: identifier,
        continuation: Continuation("example"),
        firstFactors: first,
        secondFactors: second,
        endsAt: endsAt
      )
    }
  }

  static let password = Factor(kind: .password)
  static let email = Factor(kind: .emailCode, destination: "m•••@example.com", reference: "idn_1")
  static let phone = Factor(kind: .phoneCode, destination: "+1 ••• ••• 0123", reference: "idn_2")
  static let resetByEmail = Factor(
    kind: .resetPasswordEmailCode,
    destination: "m•••@example.com",
    reference: "idn_1"
  )
  static let app = Factor(kind: .authenticatorCode)
  static let backup = Factor(kind: .backupCode)

  static func error(_ reason: Reason, at field: Field? = nil, _ code: String) -> AuthError {
    AuthError(Problem(reason, at: field, code: code), traceID: "b1946ac92492d234")
  }

  static func error(_ reason: Reason, at field: Field? = nil, _ code: OwnCode) -> AuthError {
    error(reason, at: field, code.rawValue)
  }

  /// An auth API's own answer, as support reads it.
  static func said(_ code: String, _ message: String) -> ErrorDetail {
    ErrorDetail(
      .api,
      message: message,
      facts: [
        JSONValue.Member("code", .string(code)), JSONValue.Member("message", .string(message)),
        JSONValue.Member("meta", .object([JSONValue.Member("attempts_left", .number(2))])),
      ]
    )
  }

  static let rateLimited = error(.tooManyRequests(until: later(90)), "too_many_requests")
  static let offline = error(.offline, "offline")
}
