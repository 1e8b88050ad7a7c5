internal import Foundation

/// Where a finished sign-in may lead: a path of this site, or an address of an allowed origin (S15).
struct ReturnAddresses: Sendable {
  /// As browsers write an origin: `https://app.example.com`.
  private let allowedOrigins: Set<String>
  private static let lengthLimit = 2_000

  init(allowedOrigins: [String]) {
    self.allowedOrigins = Set(allowedOrigins.map { $0.lowercased() })
  }

  /// The address to go to, or nil where it must not be followed.
  ///
  /// Only characters that all URL parsers read the same way are accepted: browsers take `\` for
  /// `/`, and drop tabs and line breaks.
  func accepted(_ text: String) -> String? {
    guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy(Self.isPlain) else {
      return nil
    }
    if text.hasPrefix("/") {
      return text.hasPrefix("//") ? nil : text
    }
    let pieces = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard pieces.count >= 3, pieces[1].isEmpty,
      allowedOrigins.contains("\(pieces[0])//\(pieces[2])".lowercased())
    else { return nil }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x7E:
      !#""<>\^`{|}"#.utf8.contains(byte)
    default: false
    }
  }
}
