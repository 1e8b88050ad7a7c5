internal import AuthAPIClient
internal import Foundation

extension KeyedDecodingContainer {
  /// A time in Unix milliseconds (<doc:ClerkTransport#Answers>); nil if it is missing or beyond
  /// the year 9999.
  func time(at key: Key) -> Date? {
    guard let milliseconds = adornment(Double.self, at: key),
      (0...253_402_300_799_000).contains(milliseconds)
    else { return nil }
    return Date(timeIntervalSince1970: milliseconds / 1000)
  }
}

/// A word in an answer, which may be unknown.
enum Word<Known: RawRepresentable<String> & Hashable & Sendable>: Decodable, Hashable, Sendable {
  case known(Known)
  case unknown(String)

  init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = Known(rawValue: word).map(Self.known) ?? .unknown(word)
  }

  var known: Known? {
    switch self {
    case .known(let known): known
    case .unknown: nil
    }
  }
}
