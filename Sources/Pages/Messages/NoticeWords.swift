import AuthFlow

extension ReasonWords {
  /// What a notice says.
  func words(for notice: Notice) -> Phrase {
    switch notice {
    case .codeSent:
      setting.sendsLink
        ? sent(.noticeLinkSent, orElse: .noticeLinkSentSomewhere)
        : sent(.noticeCodeSent, orElse: .noticeCodeSentSomewhere)
    case .codeResent:
      setting.sendsLink
        ? sent(.noticeLinkResent, orElse: .noticeLinkResentSomewhere)
        : sent(.noticeCodeResent, orElse: .noticeCodeResentSomewhere)
    case .newDevice: .outcome(.noticeNewDevice)
    case .movedOn: movedOn
    case .alreadySignedIn: alreadySignedIn
    case .signedOut: .outcome(.noticeSignedOut)
    case .passwordChanged: .outcome(.noticePasswordChanged)
    case .accountCreated: .outcome(.noticeAccountCreated)
    case .tokenRenewed: .outcome(.noticeTokenRenewed)
    case .sessionEnded: .outcome(.noticeSessionEnded)
    case .otherSessionsEnded: .outcome(.noticeOtherSessionsEnded)
    case .signInAgain: .outcome(.noticeSignInAgain)
    case .cancelled: .outcome(.noticeCancelled)
    case .backupCodesLow: .outcome(.noticeBackupCodesLow)
    case .waitlistJoined: .outcome(.noticeWaitlistJoined)
    case .stillWaiting: .outcome(stillWaiting)
    }
  }

  /// Says where the person is now.
  ///
  /// At the start of a flow nothing is under way that could have moved on, and the field holds only
  /// what was typed.
  private var movedOn: Phrase {
    if isAtStart { return .outcome(.noticeMovedOnToStart) }
    return setting.identifier.map { .outcome(.noticeMovedOnAs, ["identifier": .strong($0)]) }
      ?? .outcome(.noticeMovedOn)
  }

  /// What is waited for.
  private var stillWaiting: OutcomePhrase {
    if setting.resetsPassword { return .noticeStillWaitingReset }
    return setting.sendsLink ? .noticeStillWaitingLink : .noticeStillWaitingElsewhere
  }

  private func sent(_ key: OutcomePhrase, orElse somewhere: OutcomePhrase) -> Phrase {
    guard let destination = setting.destination else { return .outcome(somewhere) }
    // Some languages send to an address by another word than to a number.
    let kind = destination.hasPrefix("+") ? "phone" : "email"
    return .outcome(key, ["destination": .strong(destination), "kind": .choice(kind)])
  }
}
