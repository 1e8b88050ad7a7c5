extension String {
  /// The word that was probably meant by this misspelt one: the first with the fewest changes of single characters.
  ///
  /// - Parameter words: The known words.
  /// - Returns: Nil if none is as near as the parser wants for its own suggestions, or if hardly a character would stay.
  func likeliest(of words: [String]) -> String? {
    let limit = Swift.min(4, utf8.count)
    return words.map { (word: $0, changes: changes(to: $0)) }.filter { $0.changes < limit }
      .min { $0.changes < $1.changes }?.word
  }

  /// How many characters have to be inserted, removed or replaced.
  private func changes(to other: String) -> Int {
    let target = Array(other.utf8)
    var row = Array(0...target.count)
    for (index, byte) in utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in target.indices {
        let replaced = diagonal + (target[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[target.count]
  }
}
