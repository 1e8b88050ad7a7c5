/// `host[:port]` in lower case, as in a URL or in a `Host` field.
///
/// Source: RFC 3986, section 3.2, without a user.
public struct Authority: Hashable, Sendable, CustomStringConvertible {
  /// Why a text is not an authority, with the part that is wrong.
  public enum Fault: Error, Hashable, Sendable {
    case notAHost(String)
    case notAPort(String)
  }

  /// A name, an IPv4 address, or an IPv6 address in its brackets.
  public let host: String
  /// 1 to 65535; nil if there is none.
  public let port: Int?

  /// - Throws: `Fault`.
  public init(_ text: String) throws(Fault) {
    let text = text.lowercasedInASCII
    // An IPv6 address has colons of its own.
    let end = text.lastIndex(of: "]").map { text.index(after: $0) } ?? text.startIndex
    let colon = text[end...].firstIndex(of: ":") ?? text.endIndex
    host = String(text[..<colon])
    guard Self.isHost(host) else { throw .notAHost(host) }
    guard colon < text.endIndex else {
      port = nil
      return
    }
    let digits = text[colon...].dropFirst()
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
      (1...65_535).contains(number)
    else { throw .notAPort(String(digits)) }
    port = number
  }

  public var description: String { port.map { "\(host):\($0)" } ?? host }

  /// Whether a text is an IPv4 address in its usual form: four decimal numbers.
  public static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0).map(String.init) == String($0) }
  }

  /// Whether a host means this machine by definition, without asking a resolver.
  ///
  /// Source: RFC 6761, section 6.3.
  public static func isLocalhostName(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost")
  }

  /// Whether a host is this machine.
  ///
  /// - Parameter host: In lower case, without a port; an IPv6 address with its brackets or without.
  /// - Returns: Whether it is `localhost`, a name below it, or a loopback address.
  public static func isLoopback(_ host: String) -> Bool {
    isLocalhostName(host) || host == "[::1]" || host == "::1"
      || (host.hasPrefix("127.") && isIPv4(host))
  }

  private static func isHost(_ text: String) -> Bool {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return isName(text) }
    let address = text.dropFirst().dropLast()
    return address.contains(":")
      && address.utf8.allSatisfy { byte in
        byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
          || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
      }
  }

  /// Whether a text is a host name or an IPv4 address.
  ///
  /// Labels are separated by dots and have letters, digits, underscores (as services in a container network may
  /// have) and inner hyphens. A name whose last label is a number must be a whole IPv4 address, since resolvers
  /// read `127.1` and `0x7f.1` as addresses too.
  private static func isName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let areLabels = labels.allSatisfy { label in
      !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy { byte in
          byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
    guard areLabels, let last = labels.last else { return false }
    let looksLikeAnAddress = last.utf8.allSatisfy(\.isASCIIDigit) || last.hasPrefix("0x")
    return !looksLikeAnAddress || isIPv4(text)
  }
}
