/// The words typed into a search box of the workbench, each of which has to be found.
struct SearchWords {
  /// The words in lower case, independent of the machine's locale, which may have rules of its own.
  private let words: [String]

  init(_ typed: String) {
    words = typed.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Whether the search is empty.
  var isEmpty: Bool { words.isEmpty }

  /// Whether each word is in one of those texts, ignoring case.
  func stand(in texts: [String]) -> Bool {
    guard !isEmpty else { return true }
    let texts = texts.map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}
