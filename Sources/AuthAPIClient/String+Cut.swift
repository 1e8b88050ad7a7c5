extension String {
  /// At most so many characters of it.
  public func cut(to limit: Int) -> String {
    // No character takes less than a byte: a text that is short in bytes need not be taken apart.
    utf8.count <= limit ? self : String(prefix(limit))
  }
}
