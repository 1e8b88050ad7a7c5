public import Emulators
internal import Foundation
public import Pages

extension World {
  /// How many messages back a code is sought: older ones are no longer typed.
  private static let lookback = 20
  /// How long an app's code is still accepted once the app shows the next one, in seconds.
  private static let drift: TimeInterval = 30

  /// What the bar above the pages shows of this world.
  ///
  /// - Parameter sought: The code that the current page asks for.
  /// - Returns: The numbers of messages and faults, and the newest matching code. What cannot be
  ///   read now is left out, since the page does not depend on it.
  public func news(seeking sought: SoughtCode?) async -> PageFrame.Emulation.News {
    PageFrame.Emulation.News(
      messageCount: (try? await outbox.count()) ?? 0,
      code: try? await code(sought),
      faultCount: faults.all.count
    )
  }

  private func code(_ sought: SoughtCode?) async throws -> PageFrame.Emulation.KnownCode? {
    switch sought {
    case nil: return nil
    case .sent(let destination, let end):
      let destination = destination.map(ShownDestination.init)
      let message = try await outbox.newest(Self.lookback)
        .first { $0.code != nil && destination?.isLike($0.to) != false }
      guard let message, let code = message.code else { return nil }
      var end = end
      // If no API response has told the page when the code expires, as with Entra, the world knows.
      if end == nil {
        switch try await useOfEntraCode(in: message) {
        case .over: return nil
        case .works(let until): end = until
        case nil: break
        }
      }
      let path = "/backstage/inbox?message=\(message.id)"
      return .init(digits: code, path: path, worksUntil: reachable(end))
    case .authenticator(let identifier):
      guard let user = try await account(identifiedBy: identifier),
        let id = user.id, let reading = try await authenticatorReading(of: id)
      else { return nil }
      let end = reachable(reading.validUntil.addingTimeInterval(Self.drift))
      return .init(digits: reading.code, path: "/backstage/users?user=\(id)", worksUntil: end)
    }
  }

  /// The end if it will arrive by itself: nil while the clock is frozen.
  private func reachable(_ end: Date?) -> Date? { clock.reading.isFrozen ? nil : end }
}

/// An address or number as a page shows it: in full, or partly masked.
struct ShownDestination {
  private static let marks: Set<Character> = ["•", "*"]

  /// The visible parts, in order, between the masked ones.
  private let parts: [Substring]

  init(_ text: String) {
    parts = text.lowercased().split(
      omittingEmptySubsequences: false,
      whereSeparator: Self.marks.contains
    )
  }

  /// Whether that may be the full address or number.
  func isLike(_ whole: String) -> Bool {
    var rest = Substring(whole.lowercased())
    guard let first = parts.first, let last = parts.last, rest.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return rest == first }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
