/// The paths that pages link to and post to.
///
/// Source: <doc:PageAddresses#Addresses>.
enum Path {
  static let account = "/account"
  static let accountToken = "/account/token"
  static let permissions = "/permissions"
  static let signIn = "/sign-in"
  static let signInPassword = "/sign-in/password"
  static let methods = "/sign-in/methods"
  static let signInCode = "/sign-in/code"
  static let signInLink = "/sign-in/link"
  static let device = "/sign-in/device"
  static let enrolment = "/sign-in/enrolment"
  static let secondFactor = "/sign-in/second-factor"
  static let secondFactorMethods = "/sign-in/second-factor/methods"
  static let backupCode = "/sign-in/second-factor/backup-code"
  static let signUp = "/sign-up"
  static let signUpContinue = "/sign-up/continue"
  static let signUpVerify = "/sign-up/verify"
  static let signUpLink = "/sign-up/link"
  static let forgotPassword = "/forgot-password"
  static let resetCode = "/forgot-password/code"
  static let newPassword = "/forgot-password/new"
  static let resetWaiting = "/forgot-password/waiting"
  static let resetTask = "/tasks/reset-password"
  static let organizationTask = "/tasks/choose-organization"
  static let secondFactorTask = "/tasks/setup-mfa"
  static let continueInBrowser = "/continue"
  static let signOut = "/sign-out"

  /// The page's name: its path, slashes as dashes.
  static func pageName(of path: String) -> String {
    String(
      path.utf8.dropFirst().map { $0 == UInt8(ascii: "/") ? "-" : Character(Unicode.Scalar($0)) }
    )
  }

  /// The path of a page, where it has one of its own that can be opened.
  static func path(ofPage name: String) -> String? { byPageName[name] }

  private static let byPageName = Dictionary(
    uniqueKeysWithValues: [
      account, permissions, signIn, signInPassword, methods, signInCode, signInLink, device,
      enrolment, secondFactor, secondFactorMethods, backupCode, signUp, signUpContinue,
      signUpVerify, signUpLink, forgotPassword, resetCode, newPassword, resetWaiting, resetTask,
      organizationTask, secondFactorTask, continueInBrowser, signOut,
    ].map { (pageName(of: $0), $0) }
  )

  /// The path's last part, after which a page's main form is named.
  static func lastPart(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// The path with one query value, percent-encoded byte by byte (RFC 3986, section 2).
  static func adding(_ name: String, _ value: String, to path: String) -> String {
    var query = "\(path)?\(name)="
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        query.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        query += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return query
  }
}
