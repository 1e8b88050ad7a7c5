internal import GRDB

/// Words by which accounts are found: each is somewhere in an identifier, the name or the ID, in any
/// letter case.
///
/// What can be a part of a phone number is one word, however it is divided.
public struct AccountSearch: Sendable, Hashable {
  /// The most characters: as many as the longest email address has.
  public static let lengthLimit = 254
  /// The most words; the whole world is read for each.
  public static let wordLimit = 8

  /// The words in lower case, each in the spellings of which one is to be found.
  private let words: [[String]]

  /// Reads the words; nil if there are too many of them, or too many characters.
  ///
  /// - Parameter typed: The words as somebody typed them.
  public init?(_ typed: String) {
    guard typed.unicodeScalars.count <= Self.lengthLimit else { return nil }
    let parts = typed.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    if let number = Contact.Kind.partOfPhoneNumber(typed) {
      let text = parts.joined(separator: " ")
      words = [text == number ? [number] : [number, text]]
    } else {
      words = parts.map { [$0] }
    }
    guard words.count <= Self.wordLimit else { return nil }
  }

  /// Whether there are no words: then every account is found.
  public var isEmpty: Bool { words.isEmpty }

  /// The condition on a row of accounts.
  ///
  /// The contacts are read once for each word, not once for each account.
  var condition: String {
    guard !isEmpty else { return "TRUE" }
    let conditions = words.map { spellings in
      "(\(spellings.map(Self.condition(finding:)).joined(separator: " OR ")))"
    }
    return conditions.joined(separator: " AND ")
  }

  /// The arguments of the condition.
  var arguments: StatementArguments {
    let spellings: [String] = words.flatMap { $0 }
    let values: [String] = spellings.flatMap { [$0, $0] }
    return StatementArguments(values)
  }

  private static func condition(finding spelling: String) -> String {
    // SQLite's own function knows ASCII alone, and does without a call of Swift for each row.
    let lower = spelling.unicodeScalars.allSatisfy(\.isASCII) ? "lower" : "swiftLowercaseString"
    let names = "id || char(10) || ifnull(firstName, '') || char(10) || ifnull(lastName, '')"
    // Contacts are stored in lower case. Unlike LIKE, `instr` gives no character a meaning.
    return """
      instr(\(lower)(\(names)), ?) > 0 \
      OR id IN (SELECT accountID FROM contact WHERE instr(value, ?) > 0)
      """
  }
}
