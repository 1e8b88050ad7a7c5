extension AccountDescription {
  /// A kind of second factor; backup codes only stand in for one of these.
  package enum SecondFactor: Sendable, CaseIterable {
    case authenticatorApp, text, email
  }

  /// The second factors of this account; if there are any, every sign-in asks for one.
  package var secondFactors: [SecondFactor] { SecondFactor.allCases.filter { has($0) } }

  /// The second factors that the emulated Entra asks for after a password: no authenticator app,
  /// but also contacts that were registered with it.
  package var entraSecondFactors: [SecondFactor] {
    SecondFactor.allCases.filter { factor in
      switch factor {
      case .authenticatorApp: false
      case .text: has(factor) || entra.methods.contains { $0.channel == .sms }
      case .email: has(factor) || entra.methods.contains { $0.channel == .email }
      }
    }
  }

  private func has(_ factor: SecondFactor) -> Bool {
    switch factor {
    case .authenticatorApp: totpSecret != nil
    case .text: !secondFactorPhoneNumbers.isEmpty
    // Without an address there is nowhere to send its code.
    case .email: emailSecondFactor && !emailAddresses.isEmpty
    }
  }
}
