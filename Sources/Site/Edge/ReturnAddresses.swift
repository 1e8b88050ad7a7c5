internal import HTTPExchange

/// Where a finished sign-in or a sign-out may lead: a path of this site, or an address of an allowed origin (S15).
struct ReturnAddresses: Sendable {
  /// Why an address is not followed.
  enum Dropped: Error, Hashable, Sendable {
    /// It is neither a path nor a complete address, is too long, or is read differently by
    /// different programs.
    case malformed
    /// Its origin, in lower case, is not allowed.
    case origin(String)
  }

  /// As browsers write an origin: `https://app.example.com`.
  private let allowedOrigins: Set<String>
  private static let lengthLimit = 2_000

  init(allowedOrigins: [String]) {
    self.allowedOrigins = Set(allowedOrigins.map { $0.lowercased() })
  }

  /// Admits an address, or drops it.
  ///
  /// - Parameters:
  ///   - text: The address as it came.
  ///   - ownOrigin: The origin at which the pages were asked; nil where it is unknown. Of an address
  ///     there only the path is kept, which cannot lead elsewhere.
  /// - Returns: The address to go to, with what has to be escaped in an address escaped.
  /// - Throws: `Dropped` where the address must not be followed.
  func accepted(_ text: String, askedAt ownOrigin: String?) throws(Dropped) -> String {
    guard let address = Self.escaped(text), address.utf8.count <= Self.lengthLimit else {
      throw .malformed
    }
    if address.hasPrefix("/") { return try Self.path(address) }
    let pieces = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard pieces.count >= 3, pieces[1].isEmpty else { throw .malformed }
    let origin = "\(pieces[0])//\(pieces[2])".lowercased()
    if origin == ownOrigin?.lowercased() {
      return try Self.path("/" + (pieces.count > 3 ? String(pieces[3]) : ""))
    }
    guard allowedOrigins.contains(origin) else {
      throw Self.isPlainOrigin(origin) ? Dropped.origin(origin) : .malformed
    }
    return address
  }

  /// Browsers take what follows two slashes for a host.
  private static func path(_ address: String) throws(Dropped) -> String {
    guard !address.hasPrefix("//") else { throw .malformed }
    return address
  }

  /// The address with each byte escaped that an address does not have as it is, such as one of a
  /// letter with an accent; nil where it has a byte that browsers do not take for itself: they
  /// read `\` as `/`, and drop tabs and line breaks.
  ///
  /// Source: RFC 3986, section 2.
  private static func escaped(_ text: String) -> String? {
    guard text.utf8.allSatisfy(isUnambiguous) else { return nil }
    var address = ""
    for byte in text.utf8 {
      if isPlain(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        address += "%" + Hexadecimal.text(of: [byte]).uppercased()
      }
    }
    return address
  }

  private static func isUnambiguous(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\\")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x7E:
      !#""<>\^`{|}"#.utf8.contains(byte)
    default: false
    }
  }

  /// Whether it is only a scheme, a name and perhaps a port, and so may be logged: something else
  /// could name a person (S28).
  private static func isPlainOrigin(_ origin: String) -> Bool {
    origin.wholeMatch(of: /https?:\/\/[a-z0-9.:\[\]\-]+/) != nil
  }
}
