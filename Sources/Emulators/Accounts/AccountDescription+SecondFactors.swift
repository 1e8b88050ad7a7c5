extension AccountDescription {
  /// What a second factor can be asked by; backup codes only stand in for one of these.
  package enum SecondFactor: Sendable, CaseIterable {
    case authenticatorApp, text, email
  }

  /// Those of this account: where there is any, every sign-in asks for one.
  package var secondFactors: [SecondFactor] { SecondFactor.allCases.filter { has($0) } }

  private func has(_ factor: SecondFactor) -> Bool {
    switch factor {
    case .authenticatorApp: totpSecret != nil
    case .text: !secondFactorPhoneNumbers.isEmpty
    // Without an address there is nowhere to send its code.
    case .email: emailSecondFactor && !emailAddresses.isEmpty
    }
  }
}
