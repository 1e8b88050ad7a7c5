/// What an auth API itself said of one problem: for support, beside our words.
public struct ErrorDetail: Hashable, Sendable {
  /// Who found it.
  public enum Kind: String, Codable, Sendable {
    /// The API, in an answer.
    case api
    /// Whoever called it: there was no answer, or none of use.
    case client
  }

  public let kind: Kind
  /// The API's own sentence, as it came; data, never markup.
  public let message: String?
  /// All that it said, under its own names.
  public let facts: [JSONValue.Member]

  /// Keeps what may be shown: cut to `longestText`, and without secrets.
  ///
  /// - Parameters:
  ///   - kind: Who found it.
  ///   - message: The API's own sentence.
  ///   - facts: All that it said; a fact of more than `largestFact` is left out.
  ///   - secrets: What was sent and is nobody's to read again: a password, a code, a token.
  public init(
    _ kind: Kind,
    message: String? = nil,
    facts: [JSONValue.Member],
    hiding secrets: [String] = []
  ) {
    let mask = SecretMask(secrets)
    self.kind = kind
    self.message = message.map { mask.text($0) }
    self.facts = facts.map { fact in
      let masked = JSONValue.object([fact]).mapTexts(mask.text(named:_:))
      guard case .object(let members) = masked, let kept = members.first,
        kept.value.size <= Self.largestFact
      else { return JSONValue.Member(fact.name, .null) }
      return kept
    }
  }

  /// Bytes of JSON.
  private static let largestFact = 2_048
  /// Bytes of JSON that are kept of it in a visit.
  private static let keptSize = 512
}

extension ErrorDetail: Codable {
  private enum Key: String, CodingKey { case kind, facts }

  /// Writes as much as a sealed visit has room for: the short facts before the long ones.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    var room = Self.keptSize
    var kept: Set<String> = []
    for fact in facts.sorted(by: { $0.value.size < $1.value.size }) {
      room -= fact.name.utf8.count + fact.value.size
      guard room >= 0 else { break }
      kept.insert(fact.name)
    }
    let names = facts.filter { kept.contains($0.name) }
    // In two lists: an object would lose the order.
    try container.encode(
      names.map { JSONValue.array([.string($0.name), $0.value]) },
      forKey: .facts
    )
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    message = nil
    facts = try container.decode([JSONValue].self, forKey: .facts).compactMap { pair in
      guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0]
      else { return nil }
      return JSONValue.Member(name, parts[1])
    }
  }
}
