/// A second factor that an account can be asked for.
struct SecondFactor: Sendable, Hashable {
  /// A GUID, the same in every flow.
  var id: String
  var channel: Message.Channel
  var target: String

  init(_ channel: Message.Channel, _ target: String, of accountID: String) {
    id = GUID.named("\(accountID) \(channel.rawValue) \(target)")
    self.channel = channel
    self.target = target
  }

  /// Source: Microsoft, native authentication API reference.
  var json: JSON {
    [
      "id": .string(id), "challenge_type": "oob",
      "challenge_channel": .string(channel.rawValue),
      "login_hint": .string(channel.masked(target)),
    ]
  }
}

extension Message.Channel {
  /// The contact with its middle hidden: `m***a@fe***od.example`, `+4********71`.
  ///
  /// Source: Microsoft, native authentication API reference.
  func masked(_ target: String) -> String {
    func masked(_ text: Substring, keeping count: Int) -> String {
      guard text.count > 2 * count else { return text.prefix(1) + "***" }
      return text.prefix(count) + "***" + text.suffix(count)
    }
    switch self {
    case .email:
      let at = target.firstIndex(of: "@") ?? target.endIndex
      let domain = target[at...].dropFirst()
      let label = domain.prefix { $0 != "." }
      return masked(target[..<at], keeping: 1) + "@" + masked(label, keeping: 2)
        + domain[label.endIndex...]
    case .sms:
      let hidden = String(repeating: "*", count: max(0, target.count - 4))
      return target.prefix(2) + hidden + target.suffix(2)
    }
  }
}
