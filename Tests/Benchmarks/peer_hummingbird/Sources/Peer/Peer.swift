import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Mustache

// The peer: a sign-in page as one writes it with Hummingbird and swift-mustache, with as much on it as
// ours has: fields, links and languages that the template goes through, a sealed visit, a form token.

struct Link {
  let href: String
  let text: String
  var name: String?
  var label: String?
}

struct Language {
  let tag: String
  let name: String
  let isCurrent: Bool
}

struct Field {
  let id: String
  let name: String
  let label: String
  let type: String
  let autocomplete: String
  var inputmode: String?
  var hasFocus = false
  var isPassword = false
  var hint: String?
  var error: String?
  var beside: Link?
}

struct Form {
  let id: String
  let action: String
  let token: String
  let fields: [Field]
  let button: String
}

/// The words are a dictionary, in which swift-mustache finds them faster than in a structure.
struct SignInPage {
  let language = "en"
  let direction = "ltr"
  let title = "Sign in"
  let application = "Vestibule"
  let description = "Sign in to Vestibule, create an account or reset your password."
  let lightColor = "#f3f5f7"
  let darkColor = "#12171b"
  let words = Self.words
  let world = "main"
  let tools = Self.tools
  let now: String
  var banner: String?
  let form: Form
  let foot = Link(href: "/sign-up", text: "Create one", name: "sign-up", label: "No account?")
  let help = Link(href: "mailto:help@example.com", text: "Get help: help@example.com", name: "help")
  let languages = Self.languages

  private static let words = [
    "skip": "Skip to main content",
    "show": "Show",
    "showPassword": "Show password",
    "hide": "Hide",
    "hidePassword": "Hide password",
    "visible": "Your password is visible",
    "hidden": "Your password is hidden",
    "copy": "Copy",
    "copied": "Copied",
    "copyingRefused": "Copying is not allowed here. Select the text instead.",
    "checking": "Checking…",
    "ready": "You can ask for a new code now",
    "now": "now",
    "over": "over",
    "left": "{length} left",
    "workbench": "Workbench",
    "language": "Language",
  ]
  private static let tools = [
    Link(href: "/backstage/inbox", text: "Inbox"),
    Link(href: "/backstage/traces?visit=current&path=/sign-in#page", text: "Traces"),
    Link(href: "/backstage/state?page=sign-in&step=identifier", text: "This state in the atlas"),
  ]
  private static let languages = [
    ("en", "English"), ("ar", "العربية"), ("de", "Deutsch"), ("es", "Español"), ("fr", "Français"),
    ("ja", "日本語"), ("pt", "Português"),
  ].map { Language(tag: $0.0, name: $0.1, isCurrent: $0.0 == "en") }
}

extension Sequence<UInt8> {
  /// Base64 with the URL alphabet (RFC 4648, section 5).
  var base64URL: String {
    Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// Seals visits and makes the tokens of their forms.
struct Secrets {
  private let sealing = SymmetricKey(size: .bits256)
  private let tokens = SymmetricKey(size: .bits256)

  private static func random(_ count: Int) -> [UInt8] {
    SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
  }

  /// The cookie's value, and the token of the form of that action.
  func visit(for action: String) throws -> (sealed: String, token: String) {
    let id = Self.random(16)
    let now = Date.now.timeIntervalSince1970
    let visit = "\(id.base64URL) main \(now) \(now + 86_400)"
    let sealed = try AES.GCM.seal(Array(visit.utf8), using: sealing).combined ?? Data()
    let made = "\(Self.random(9).base64URL).0"
    let code = HMAC<SHA256>.authenticationCode(
      for: Array("\(id.base64URL)\n\(action)\n\(made)".utf8),
      using: tokens
    )
    return (sealed.base64URL, "\(made).\(code.prefix(16).base64URL)")
  }
}

@main
struct Peer {
  private static let fields = [
    Field(
      id: "sign-in-identifier",
      name: "identifier",
      label: "Email address, phone number or username",
      type: "text",
      autocomplete: "username",
      inputmode: "email",
      hasFocus: true
    ),
    Field(
      id: "sign-in-password",
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      isPassword: true,
      beside: Link(
        href: "/forgot-password",
        text: "Forgot?",
        name: "forgot-password",
        label: "Forgot your password?"
      )
    ),
  ]

  private static let headers = HTTPFields(
    [
      ("Vary", "Accept"),
      ("Content-Type", "text/html; charset=utf-8"),
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
          + "font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; "
          + "base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
      ),
      ("X-Frame-Options", "DENY"),
      ("X-Content-Type-Options", "nosniff"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Permissions-Policy",
        "accelerometer=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), "
          + "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), "
          + "screen-wake-lock=(), xr-spatial-tracking=()"
      ),
      ("Referrer-Policy", "same-origin"),
      ("Cache-Control", "no-store"),
    ].compactMap { name, value in
      HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
    }
  )

  /// Serves `/sign-in` on the port that is the first argument, with the templates in the folder that is
  /// the second.
  static func main() async throws {
    let arguments = CommandLine.arguments
    let library = try await MustacheLibrary(directory: arguments[2])
    let secrets = Secrets()
    let router = Router()
    router.get("sign-in") { _, _ -> Response in
      let visit = try secrets.visit(for: "/sign-in")
      let page = SignInPage(
        now: Date.now.formatted(.iso8601),
        form: Form(
          id: "sign-in",
          action: "/sign-in",
          token: visit.token,
          fields: fields,
          button: "Sign in"
        )
      )
      guard let html = library.render(page, withTemplate: "sign-in") else {
        throw HTTPError(.internalServerError)
      }
      var headers = headers
      headers[.setCookie] = "visit=\(visit.sealed); Path=/; HttpOnly; SameSite=Lax; Max-Age=86400"
      let body = ResponseBody(byteBuffer: ByteBuffer(string: html))
      return Response(status: .ok, headers: headers, body: body)
    }
    var logger = Logger(label: "peer")
    logger.logLevel = .error
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: Int(arguments[1]) ?? 0)),
      logger: logger
    )
    try await application.runService()
  }
}
