public import HTTPTypes

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// The field of HTTP/1.1 that says which host was asked.
  ///
  /// Source: RFC 9110, section 7.2.
  public static let host = Self("Host")!
  /// Through which addresses a request has come; anybody can write it.
  static let forwardedFor = Self("X-Forwarded-For")!
  /// By which scheme a browser has come to a proxy; anybody can write it.
  static let forwardedProto = Self("X-Forwarded-Proto")!
  /// Names a wish that is fulfilled once, however often it is sent.
  ///
  /// Source: draft-ietf-httpapi-idempotency-key-header-07.
  public static let idempotencyKey = Self("Idempotency-Key")!
}
