internal import Foundation

/// `scheme://host[:port]` as a browser writes it: in small letters, without the usual port.
///
/// Never with a wildcard, a path or a user's name (S15, S30).
struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
  let scheme: String
  let host: String
  /// Nil where it is the scheme's own.
  let port: Int?
  /// Whether a port was given, be it the scheme's own.
  let isPortWritten: Bool

  init(scheme: String, host: String, port: Int?) {
    self.scheme = scheme
    self.host = host
    self.port = port == Self.usualPort(of: scheme) ? nil : port
    isPortWritten = port != nil
  }

  private static func usualPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// - Parameters:
  ///   - text: The origin; one `/` at its end is passed over.
  ///   - what: What it is, for the message.
  ///   - written: How it was written, where that is not the text.
  /// - Throws: `StartFailure` that names it.
  init(_ text: String, as what: String, written: String? = nil) throws(StartFailure) {
    func failure(_ reason: String) -> StartFailure {
      StartFailure(.configuration, "The \(what) \(reason): \(written ?? text)")
    }
    guard !text.contains("*") else { throw failure("takes no wildcard") }
    if let written, written.contains("://") {
      throw failure("is a name alone, without http:// or https://")
    }
    let trimmed = (text.hasSuffix("/") ? String(text.dropLast()) : text).lowercased()
    guard let scheme = ["http", "https"].first(where: { trimmed.hasPrefix("\($0)://") }) else {
      throw failure("does not begin with http:// or https://")
    }
    let authority = trimmed.dropFirst(scheme.count + 3)
    let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.startIndex
    let colon = authority[end...].firstIndex(of: ":") ?? authority.endIndex
    let host = String(authority[..<colon])
    guard Self.isHost(host) else { throw failure("has no plain host, or a path behind it") }
    var port: Int?
    if colon < authority.endIndex {
      let digits = authority[authority.index(after: colon)...]
      guard let number = Int(digits), (1...65_535).contains(number),
        digits.allSatisfy({ ("0"..."9").contains($0) })
      else { throw failure("has no port from 1 to 65535") }
      port = number
    }
    self.init(scheme: scheme, host: host, port: port)
  }

  /// `host[:port]`, as in a `Host` field.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// `host:port`, be it the scheme's own.
  var fullAuthority: String { "\(host):\(port ?? Self.usualPort(of: scheme))" }

  var description: String { "\(scheme)://\(authority)" }

  private static func isHost(_ text: String) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") {
      let inner = text.dropFirst().dropLast()
      return inner.contains(":")
        && inner.utf8.allSatisfy { byte in
          byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
            || Unicode.Scalar(byte).properties.isASCIIHexDigit
        }
    }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty
        && label.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }
}
