extension String {
  /// An address with more in its query, which stands before a fragment.
  ///
  /// Source: RFC 3986, section 3.5.
  public func addingQuery(_ parameters: String) -> String {
    let fragment = firstIndex(of: "#") ?? endIndex
    let page = self[..<fragment]
    return "\(page)\(page.contains("?") ? "&" : "?")\(parameters)\(self[fragment...])"
  }
}
