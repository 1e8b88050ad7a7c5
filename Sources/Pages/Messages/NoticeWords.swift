import AuthFlow

extension MessageCatalogue {
  /// What a notice says.
  func words(for notice: Notice) -> Prose {
    switch notice {
    case .codeSent:
      setting.destination.map { "We sent a \(sent) to \(strong: $0)." } ?? "We sent a \(sent)."
    case .codeResent:
      setting.destination.map {
        "We sent a new \(sent) to \(strong: $0). Only the newest \(sent) works."
      } ?? "We sent a new \(sent). Only the newest \(sent) works."
    case .newDevice: "You are signing in from a new device"
    case .movedOn:
      setting.identifier.map { "You have moved on from that page. This is where \(strong: $0) is." }
        ?? "You have moved on from that page. This is where you are."
    case .alreadySignedIn: Prose(alreadySignedIn)
    case .signedOut: "You are signed out"
    case .passwordChanged: "Your password is changed"
    case .accountCreated: "Your account is created. Sign in to go on."
    case .tokenRenewed: "You have a new token"
    case .signInAgain: "Sign in again to continue"
    case .cancelled: "Sign-in was cancelled"
    case .backupCodesLow: "Few backup codes are left. Make new ones soon."
    case .waitlistJoined: "We will write to you when it is your turn."
    case .stillWaiting:
      setting.sendsLink
        ? "The link has not been opened yet. Open it, then check again."
        : "You have not finished there yet. Finish there, then come back."
    }
  }

  private var sent: String { setting.sendsLink ? "link" : "code" }
}
