extension String {
  /// The known name that this one is probably a misspelling of.
  ///
  /// Allows one slip for every three bytes, and at least one: a letter that is missing, wrong or
  /// superfluous, or two that are swapped. Case is ignored.
  /// - Parameter names: The known names; the first one wins among equally near ones.
  /// - Returns: One of the names; nil if none is near enough.
  package func nearestName(among names: [String]) -> String? {
    let typed = Array(lowercased().utf8)
    let limit = max(1, typed.count / 3)
    let near = names.compactMap { name -> (name: String, slips: Int)? in
      let meant = Array(name.lowercased().utf8)
      // Rules out a very long name before the quadratic comparison.
      guard abs(meant.count - typed.count) <= limit else { return nil }
      let slips = Self.slips(in: typed, meaning: meant)
      return slips <= limit ? (name, slips) : nil
    }
    return near.min { $0.slips < $1.slips }?.name
  }

  /// The number of slips between the two: the optimal string alignment distance.
  private static func slips(in typed: [UInt8], meaning meant: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...meant.count)
    for (row, byte) in typed.enumerated() {
      var current = [row + 1]
      for (column, other) in meant.enumerated() {
        let change = last[column] + (byte == other ? 0 : 1)
        var fewest = Swift.min(change, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, byte == meant[column - 1], other == typed[row - 1] {
          fewest = Swift.min(fewest, beforeLast[column - 1] + 1)
        }
        current.append(fewest)
      }
      (beforeLast, last) = (last, current)
    }
    return last[meant.count]
  }
}
