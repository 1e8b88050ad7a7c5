extension SecretMask {
  /// An auth API's own code, unmasked; what is not a code is masked like any other text.
  public func code(_ text: String) -> String { self.text(named: "code", text) }

  /// The auth API's identifier of an answer; nil where it contains a secret, since nothing can be
  /// found by the rest.
  public func traceID(_ id: String) -> String? { text(id) == id ? id : nil }
}
