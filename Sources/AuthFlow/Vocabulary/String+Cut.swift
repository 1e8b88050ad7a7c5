extension String {
  /// At most so many code points of it (S17).
  ///
  /// Not so many characters: one with a pile of marks is of any length.
  ///
  /// - Parameters:
  ///   - limit: How many.
  ///   - mark: What stands at the end, within the limit, where something is left out.
  /// - Returns: The text itself where it is no longer.
  public func cut(to limit: Int, marking mark: String = "") -> String {
    // No code point takes less than a byte: a text that is short in bytes need not be counted.
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    let kept = unicodeScalars.prefix(limit - mark.unicodeScalars.count)
    return String(String.UnicodeScalarView(kept)) + mark
  }
}
