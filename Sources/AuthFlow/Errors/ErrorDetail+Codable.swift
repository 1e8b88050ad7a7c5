extension ErrorDetail: Codable {
  private enum Key: String, CodingKey { case kind, message, facts }

  /// The limit for the facts in a visit, in bytes of JSON, and the limit for the message.
  private static let keptSize = 512

  /// Encodes as much as a sealed visit has room for: short facts before long ones, and the message
  /// where no fact says the same.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    if let message, message.utf8.count <= Self.keptSize,
      !facts.contains(where: { $0.value == .string(message) })
    {
      try container.encode(message, forKey: .message)
    }
    var room = Self.keptSize
    var kept: Set<String> = []
    for fact in facts.sorted(by: { $0.value.size < $1.value.size }) {
      room -= fact.name.utf8.count + fact.value.size
      guard room >= 0 else { break }
      kept.insert(fact.name)
    }
    let names = facts.filter { kept.contains($0.name) }
    // As a list of pairs: an object would lose their order.
    try container.encode(
      names.map { JSONValue.array([.string($0.name), $0.value]) },
      forKey: .facts
    )
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    message = try container.decodeIfPresent(String.self, forKey: .message)
    facts = try container.decode([JSONValue].self, forKey: .facts).compactMap { pair in
      guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0]
      else { return nil }
      return JSONValue.Member(name, parts[1])
    }
  }
}
