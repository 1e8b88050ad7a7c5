public import HTTPTypes

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// The host that was asked, required in HTTP/1.1.
  ///
  /// Source: RFC 9110, section 7.2.
  public static let host = Self("Host")!
  /// The addresses through which a request came; anybody can write it.
  static let forwardedFor = Self("X-Forwarded-For")!
  /// The scheme by which a browser reached a proxy; anybody can write it.
  static let forwardedProto = Self("X-Forwarded-Proto")!
  /// Identifies a request that is carried out once, however often it is sent.
  ///
  /// Source: draft-ietf-httpapi-idempotency-key-header-07.
  public static let idempotencyKey = Self("Idempotency-Key")!
}
