extension SecretMask {
  /// A code of an auth API's own as it is; what is none is a text like any other.
  public func code(_ text: String) -> String { self.text(named: "code", text) }

  /// What an auth API calls an answer; nil where what was sent stands in it: the rest finds nothing.
  public func traceID(_ id: String) -> String? { text(id) == id ? id : nil }
}
