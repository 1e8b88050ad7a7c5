extension AccountDescription {
  /// A kind of second factor; backup codes only stand in for one of these.
  package enum SecondFactor: Sendable, CaseIterable {
    case authenticatorApp, text, email
  }

  /// The second factors of this account; if there are any, every sign-in asks for one.
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
