package import HTTPTypes

/// The header fields that every answer of the site carries (S8, S9).
struct SecurityHeaders: Sendable {
  private let fields: HTTPFields
  private let names: Set<HTTPField.Name>
  /// The fields that an answer may replace.
  private static let replaceable: [HTTPField.Name] = [
    .contentSecurityPolicy, .xFrameOptions, .cacheControl,
  ]
  /// Browser features that no page of ours uses.
  private static let deniedFeatures = [
    "accelerometer", "camera", "display-capture", "fullscreen", "geolocation", "gyroscope",
    "magnetometer", "microphone", "midi", "payment", "usb", "screen-wake-lock",
    "xr-spatial-tracking",
  ]

  /// - Parameters:
  ///   - redirectOrigins: Origins to which a form may redirect: Chromium blocks a redirect after a
  ///     form to an origin that is not listed.
  ///   - isSecure: Whether the public address is https.
  init(redirectOrigins: [String], isSecure: Bool) {
    let formAction = (["'self'"] + redirectOrigins).joined(separator: " ")
    let policy = [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self' data:",
      "font-src 'self'", "manifest-src 'self'", "connect-src 'self'", "form-action \(formAction)",
      "base-uri 'none'", "object-src 'none'",
      "frame-ancestors 'none'",
    ].joined(separator: "; ")
    var fields: HTTPFields = [
      .contentSecurityPolicy: policy,
      .xFrameOptions: "DENY",
      .xContentTypeOptions: "nosniff",
      .crossOriginOpenerPolicy: "same-origin",
      .crossOriginResourcePolicy: "same-origin",
      // An empty value would do, but libmicrohttpd omits a field without a value.
      .permissionsPolicy: Self.deniedFeatures.map { "\($0)=()" }.joined(separator: ", "),
      .referrerPolicy: "same-origin",
      .cacheControl: "no-store",
    ]
    if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    self.init(fields)
  }

  private init(_ fields: HTTPFields) {
    self.fields = fields
    names = Set(fields.map(\.name))
  }

  /// The same with further fields, which answers cannot replace.
  func adding(_ others: HTTPFields) -> SecurityHeaders { SecurityHeaders(fields + others) }

  /// Adds them to an answer's own fields.
  ///
  /// Its own cache control, content security policy and frame options take precedence: the pages of
  /// emulated identity providers have styles and form targets of their own, and a page of backstage
  /// shows others in frames.
  func added(to own: HTTPFields) -> HTTPFields {
    var all = fields
    for name in Self.replaceable where own.contains(name) { all[name] = nil }
    // Appended, not set by name: that would search all fields each time.
    for field in own where Self.replaceable.contains(field.name) || !names.contains(field.name) {
      all.append(field)
    }
    return all
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  package static let xFrameOptions = Self("X-Frame-Options")!
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
  static let permissionsPolicy = Self("Permissions-Policy")!
  static let referrerPolicy = Self("Referrer-Policy")!
}
