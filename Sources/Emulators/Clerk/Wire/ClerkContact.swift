extension Contact {
  /// A contact that belongs to no account: one to be verified, or one that anybody who types it is
  /// offered.
  init(ofNobody kind: Kind, _ value: String, id: String, at now: EpochMilliseconds) {
    self.init(
      id: id,
      accountID: "",
      kind: kind,
      value: value,
      isPrimary: true,
      isSecondFactor: false,
      isDefaultSecondFactor: false,
      createdAt: now,
      position: 0
    )
  }
}

extension Contact.Kind {
  /// The contact with all but its ends hidden: `m***@example.com`, `+*******0123`.
  ///
  /// Source: <doc:ClerkSigningIn#Factors>.
  func masked(_ value: String) -> String {
    switch self {
    case .emailAddress:
      let at = value.firstIndex(of: "@") ?? value.endIndex
      return value.prefix(1) + "***" + value[at...]
    case .phoneNumber:
      return "+" + String(repeating: "*", count: max(0, value.count - 5)) + value.suffix(4)
    case .username:
      return value.prefix(1) + "***"
    }
  }

  /// Whether it is a test contact: in test mode, nothing is sent to it and its code is always 424242.
  ///
  /// Source: <doc:ClerkTransport#Test-mode>.
  func isForTests(_ value: String) -> Bool {
    switch self {
    case .emailAddress:
      return value.prefix { $0 != "@" }.hasSuffix("+clerk_test")
    case .phoneNumber:
      return value.count == 12 && value.hasPrefix("+1") && value.dropFirst(5).hasPrefix("55501")
    case .username:
      return false
    }
  }
}
