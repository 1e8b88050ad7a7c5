import AuthFlow
import Foundation

extension Link {
  static let forgotPassword = Link(
    "forgot-password",
    href: Address.forgotPassword.path,
    words: "Forgot your password?"
  )
  /// On the line of the password that was forgotten.
  var besidePassword: Link { at(.beside(.password, shortly: "Forgot?")) }

  static let signIn = Link(
    "sign-in",
    href: Address.signIn.path,
    words: "Back to sign in",
    purpose: "back"
  )
  static let account = Link("account", href: Address.account.path, words: "Go to your account")

  /// Where accounts are made; what was typed as an address is carried along.
  static func signUp(words: String, carrying identifier: String? = nil) -> Link {
    let address = identifier.flatMap { $0.contains("@") ? $0 : nil }
    return Link(
      "sign-up",
      href: address.map { Address.signUp.adding("email_address", $0) } ?? Address.signUp.path,
      words: words
    )
  }

  /// Changes whom the step is about.
  static func change(at href: String, words: String = "Change") -> Link {
    Link("change", href: href, words: words, purpose: "back", place: .identity)
  }

  static func methods(at place: Address) -> Link {
    Link("methods", href: place.path, words: "Use another method", purpose: "alternative")
  }

  static let backupCode = Link(
    "backup-code",
    href: Address.backupCode.path,
    words: "Use a backup code",
    purpose: "alternative"
  )

  static func inbox(at path: String) -> Link {
    Link("inbox", href: path, words: "Open the inbox")
  }

  static func back(to place: Address) -> Link {
    Link("back", href: place.path, words: "Back", purpose: "back")
  }

  /// Support, by e-mail or on the web; nil where the address is neither.
  static func help(at address: String) -> Link? {
    if address.hasPrefix("https://") || address.hasPrefix("http://") {
      return Link("help", href: address, words: "Get help")
    }
    guard address.contains("@"), !address.contains(where: \.isWhitespace) else { return nil }
    let target = address.hasPrefix("mailto:") ? address : "mailto:\(address)"
    return Link("help", href: target, words: "Get help: \(target.dropFirst("mailto:".count))")
  }
}

extension Form {
  /// Sends another code or link; waits until then (N4).
  static func resend(
    _ action: Address,
    button: String = "Resend code",
    availableAt: Date?,
    now: Date
  ) -> Form {
    Form(
      "resend",
      action: action,
      button: button,
      weight: .quiet,
      purpose: "resend",
      availableAt: availableAt.flatMap { $0 > now ? $0 : nil }
    )
  }

  /// Begins anew at the start of the flow that the page's path belongs to.
  ///
  /// The second factor after a reset therefore starts at sign-in: the password is set already.
  ///
  /// - Parameters:
  ///   - flow: Which one.
  ///   - button: Its words: beside an identity, that it is changed.
  /// - Returns: The form.
  static func restart(_ flow: FlowName, button: String = "Change") -> Form {
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
      button: "Sign out",
      weight: weight,
      purpose: "sign-out"
    )
  }
}
