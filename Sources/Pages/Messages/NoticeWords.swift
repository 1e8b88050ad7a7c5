import AuthFlow

extension Catalogue {
  /// What a notice says.
  func words(for notice: Notice) -> Prose {
    switch notice {
    case .codeSent:
      setting.destination.map { "We sent a code to \(strong: $0)" } ?? "We sent a code"
    case .codeResent:
      setting.destination.map {
        "We sent a new code to \(strong: $0). Only the newest code works."
      } ?? "We sent a new code. Only the newest code works."
    case .newDevice: "You are signing in from a new device"
    case .movedOn: "That step is not due. Go on from here."
    case .alreadySignedIn: Prose(alreadySignedIn)
    case .signedOut: "You are signed out"
    case .passwordChanged: "Your password is changed"
    case .accountCreated: "Your account is created. Sign in to go on."
    case .tokenRenewed: "You have a new token"
    case .signInAgain: "Sign in again to continue"
    case .cancelled: "Sign-in was cancelled"
    case .backupCodesLow: "Few backup codes are left. Make new ones soon."
    }
  }
}
