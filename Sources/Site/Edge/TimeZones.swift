internal import Foundation
internal import HTTPExchange
internal import Locking

/// Reads the reader's time zone from a cookie that a script of ours sets (N2).
///
/// So it has no prefix, even behind https: it decides nothing but how times are written.
final class TimeZones: Sendable {
  private static let cookieName = "vestibule_time_zone"
  /// Only these are cached, so that invented zone names do not fill the memory.
  private static let lasting = Set(TimeZone.knownTimeZoneIdentifiers)
  private let known = Locked<[String: TimeZone]>([:])

  func zone(toldBy request: Request) -> TimeZone? {
    guard let told = request.cookie(Self.cookieName),
      told.utf8.count <= 64, let name = told.removingPercentEncoding,
      name.utf8.allSatisfy({ Self.isPlain($0) })
    else { return nil }
    guard Self.lasting.contains(name) else { return TimeZone(identifier: name) }
    return known.withLock { known in
      if let zone = known[name] { return zone }
      let zone = TimeZone(identifier: name)
      known[name] = zone
      return zone
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "/_+-".utf8.contains(byte)
  }
}
