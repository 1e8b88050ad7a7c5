extension String {
  /// An address with parameters added to its query, before any fragment.
  ///
  /// Source: RFC 3986, section 3.5.
  public func addingQuery(_ parameters: String) -> String {
    let fragment = firstIndex(of: "#") ?? endIndex
    let page = self[..<fragment]
    return "\(page)\(page.contains("?") ? "&" : "?")\(parameters)\(self[fragment...])"
  }
}
