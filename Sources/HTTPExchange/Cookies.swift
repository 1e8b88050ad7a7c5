internal import Glibc
internal import HTTPTypes

/// The name of a cookie that we set and read.
///
/// Behind https it begins with `__Host-`: browsers keep such a cookie only if this very host has set
/// it over TLS, for all its paths (S11). So neither a sibling host nor one over plain http can plant
/// it, and a cookie of the name without the prefix is not ours.
///
/// Source: RFC 6265bis, "The "__Host-" Prefix".
public struct CookieName: Sendable, Hashable {
  /// The name as it is sent.
  public let text: String
  /// Whether the cookie is sent over TLS only.
  public let isSecure: Bool

  /// - Parameters:
  ///   - name: The name without a prefix.
  ///   - isSecure: Whether people come by https.
  public init(_ name: String, isSecure: Bool) {
    text = isSecure ? "__Host-\(name)" : name
    self.isSecure = isSecure
  }
}

/// A cookie that a response sets.
///
/// Always `HttpOnly`, `SameSite=Lax`, `Path=/` and without `Domain` (S11): nothing else can be
/// expressed.
public struct SetCookie: Sendable, Hashable {
  /// The name as it is sent.
  public let name: String
  public var value: String
  /// How long the browser keeps it; nil until the browser closes; zero deletes it.
  public var maximumAge: Duration?
  /// Whether it is sent over TLS only.
  public let isSecure: Bool

  public init(name: CookieName, value: String, maximumAge: Duration? = nil) {
    self.name = name.text
    self.value = value
    self.maximumAge = maximumAge
    isSecure = name.isSecure
  }

  /// The value of a `Set-Cookie` header field.
  ///
  /// Source: RFC 6265, section 4.1.
  public var headerValue: String {
    // Reserved at full length: a string that grew by interpolation is half empty, and may be kept.
    var text = ""
    text.reserveCapacity(name.utf8.count + value.utf8.count + 64)
    text += name
    text += "="
    text += value
    text += "; Path=/; HttpOnly; SameSite=Lax"
    if let maximumAge { text += "; Max-Age=\(maximumAge.components.seconds)" }
    if isSecure { text += "; Secure" }
    return text
  }
}

extension Request {
  /// The value of the last cookie with that name; nil if there is none.
  ///
  /// A page at another port of the host can add cookies of our names, for longer paths. Browsers send
  /// longer paths first, and ours are for `/` (RFC 6265, section 5.4).
  /// Source: as for `cookies`, which need not be parsed for it.
  public func cookie(_ name: String) -> Substring? {
    guard let reading else { return headerFields.cookie(name) }
    return reading.cookies.last { $0.name.hasBytes(of: name) }?.value
  }

  /// The value of the last of these cookies; nil if there is none.
  public func cookie(_ name: CookieName) -> Substring? { cookie(name.text) }

  /// The values of all cookies with that name, in the order in which they were sent.
  public func cookieValues(_ name: CookieName) -> [Substring] {
    cookies.filter { $0.name.hasBytes(of: name.text) }.map { $0.value }
  }

  /// The cookies of the request, in order.
  ///
  /// Pairs without `=` are ignored.
  /// Source: RFC 6265, section 4.2; our own parser, since the library's strips quotes (S4).
  public var cookies: [(name: Substring, value: Substring)] {
    reading?.cookies ?? headerFields.cookies
  }
}

extension HTTPFields {
  func cookie(_ name: String) -> Substring? {
    for index in indices.reversed() where self[index].isNamed(.cookie) {
      var header = self[index].value
      guard header.mayHold(name), let value = header.withUTF8({ Self.value(of: name, in: $0) })
      else { continue }
      let start = header.utf8.index(header.startIndex, offsetBy: value.lowerBound)
      return header[start..<header.utf8.index(start, offsetBy: value.count)]
    }
    return nil
  }

  /// The range of the last value of a cookie.
  private static func value(
    of name: String,
    in header: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    var pairs = header[...]
    var last: Range<Int>?
    while !pairs.isEmpty {
      let end = pairs.firstIndex(of: UInt8(ascii: ";")) ?? pairs.endIndex
      let pair = pairs[..<end].drop { $0.isHTTPBlank }
      if pair.starts(with: name.utf8) {
        let value = pair.dropFirst(name.utf8.count)
        if value.first == UInt8(ascii: "=") { last = value.startIndex + 1..<value.endIndex }
      }
      pairs = pairs[end...].dropFirst()
    }
    return last
  }

  var cookies: [(name: Substring, value: Substring)] {
    // Bytewise: grapheme boundaries do not matter here, and finding them takes time.
    values(of: .cookie).flatMap { header in
      header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
        let pair = pair.drop { $0.isHTTPBlank }
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (Substring(pair[..<equals]), Substring(pair[pair.index(after: equals)...]))
      }
    }
  }
}

extension String {
  /// Whether it contains that text; neither has a NUL, which no header field can have.
  ///
  /// A quick check without parsing: every page asks for cookies that few browsers have.
  fileprivate func mayHold(_ part: String) -> Bool {
    withCString { whole in part.withCString { strstr(whole, $0) != nil } }
  }
}
