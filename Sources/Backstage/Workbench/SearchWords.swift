/// What was typed into a search box of the workbench: words, each of which has to stand somewhere.
struct SearchWords {
  /// In lower case, as no locale has it: the machine's may know letters that are no other's.
  private let words: [String]

  init(_ typed: String) {
    words = typed.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Whether nothing is looked for.
  var isEmpty: Bool { words.isEmpty }

  /// Whether every word stands in one of those texts, in whatever case of letters.
  func stand(in texts: [String]) -> Bool {
    guard !isEmpty else { return true }
    let texts = texts.map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}
