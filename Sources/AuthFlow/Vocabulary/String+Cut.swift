extension String {
  /// The text, cut to a number of code points (S17).
  ///
  /// Not to a number of characters: a single one may have any number of combining marks.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of code points.
  ///   - mark: What to append, within the limit, where something is left out.
  /// - Returns: The text itself where it is no longer than that.
  public func cut(to limit: Int, marking mark: String = "") -> String {
    // No code point takes less than a byte: a text that is short in bytes need not be counted.
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    let kept = unicodeScalars.prefix(limit - mark.unicodeScalars.count)
    return String(String.UnicodeScalarView(kept)) + mark
  }
}
