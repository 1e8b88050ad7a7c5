import AuthFlow
import Foundation

extension Link {
  static let forgotPassword = Link(
    "forgot-password",
    href: Address.forgotPassword.path,
    words: .common(.actionForgotPassword)
  )
  /// The same on the line of the password that was forgotten.
  static let forgotPasswordBeside = forgotPassword.at(
    .beside(.password, shortly: .common(.actionForgotPasswordShort))
  )

  static let signIn = Link(
    "sign-in",
    href: Address.signIn.path,
    words: .common(.actionBackToSignIn),
    purpose: "back"
  )
  static let account = Link("account", href: Address.account.path, words: .page(.accountGoTo))

  /// The link to the sign-up page, which carries along a typed email address.
  static func signUp(words: Phrase, carrying identifier: TypedText? = nil) -> Link {
    Link("sign-up", href: Address.signUp.path, words: words)
      .carrying(identifier, to: .signUp, as: "email_address")
  }

  /// Changes whom the step is about.
  static func change(at href: String, words: Phrase = .common(.actionChange)) -> Link {
    Link("change", href: href, words: words, purpose: "back", place: .identity)
  }

  static func methods(at place: Address) -> Link {
    Link(
      "methods",
      href: place.path,
      words: .common(.actionUseAnotherMethod),
      purpose: "alternative"
    )
  }

  static let backupCode = Link(
    "backup-code",
    href: Address.backupCode.path,
    words: .common(.actionUseBackupCode),
    purpose: "alternative"
  )

  static func inbox(at path: String) -> Link {
    Link("inbox", href: path, words: .common(.actionOpenInbox))
  }

  /// The link to the application itself; nil if that is not a web address.
  static func application(_ address: String, called name: String) -> Link? {
    webAddress(address).map { address in
      Link(
        "application",
        href: address,
        words: .page(.accountGoToApplication, ["application": .text(name)])
      )
    }
  }

  static let workbench = Link("workbench", href: "/backstage", words: .page(.accountWorkbench))

  static func back(to place: Address) -> Link {
    Link("back", href: place.path, words: .common(.actionBack), purpose: "back")
  }

  /// The link to support, by email or on the web; nil if the address is neither.
  static func help(at address: String) -> Link? {
    if let address = webAddress(address) {
      return Link("help", href: address, words: .common(.pageGetHelp))
    }
    let scheme = "mailto:"
    let isLink = address.prefix(scheme.count).lowercased() == scheme
    let mailbox = isLink ? String(address.dropFirst(scheme.count)) : address
    // A colon before the @ ends another scheme, such as that of a web address with a user name. The
    // bytes of nearly all addresses show that nothing is invisible.
    guard let at = mailbox.utf8.firstIndex(of: UInt8(ascii: "@")),
      !mailbox.utf8[..<at].contains(UInt8(ascii: ":")),
      mailbox.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        || mailbox.unicodeScalars.allSatisfy(\.isSeen)
    else { return nil }
    return Link(
      "help",
      href: "\(scheme)\(mailbox)",
      words: .common(.pageGetHelpAt, ["address": .text(mailbox)])
    )
  }
}

extension Form {
  /// The form that requests another code or link, marked as waiting until `availableAt` (N4).
  static func resend(
    _ action: Address,
    button: Phrase = .common(.actionResendCode),
    availableAt: Date?,
    now: Date
  ) -> Form {
    Form(
      "resend",
      action: action,
      button: button,
      weight: .quiet,
      purpose: "resend",
      availableAt: resendWait(until: availableAt, at: now)
    )
  }

  /// The form that returns to the start of a flow.
  ///
  /// A second factor after a password reset returns to sign-in, since the password is already set.
  ///
  /// - Parameters:
  ///   - flow: The flow to restart.
  ///   - button: The words of the button; beside an identity, they say that it is changed.
  /// - Returns: The form.
  static func restart(_ flow: FlowName, button: Phrase = .common(.actionChange)) -> Form {
    Form(
      "restart",
      action: flow.restart,
      button: button,
      weight: .quiet,
      purpose: "restart"
    )
  }

  static func signOut(weight: Weight) -> Form {
    Form(
      "sign-out",
      action: .signOut,
      button: .common(.actionSignOut),
      weight: weight,
      purpose: "sign-out"
    )
  }
}

extension String {
  /// The string if it looks like an email address: only such text is carried along in links.
  var ifEmailAddress: String? { utf8.contains(UInt8(ascii: "@")) ? self : nil }
}
