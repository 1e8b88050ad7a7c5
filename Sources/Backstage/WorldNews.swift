public import Emulators
internal import Foundation
public import Pages

extension World {
  /// How far back a code is looked for: what was sent before so many others is no longer typed.
  private static let lookback = 20
  /// How long the code of an app is taken once the app shows the next one, in seconds.
  private static let drift: TimeInterval = 30

  /// What the bar above the pages tells of this world.
  ///
  /// - Parameter sought: The code that the page at hand asks for.
  /// - Returns: How many messages and faults there are, and the newest code that fits; nothing of what
  ///   cannot be read now, since the page does not depend on it.
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
      // Where no answer has told the page until when, as over Entra, the world knows.
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

  /// An end that comes to a page by itself: nil while the clock stands still.
  private func reachable(_ end: Date?) -> Date? { clock.reading.isFrozen ? nil : end }
}

/// An address or number as a page shows it: whole, or with marks for what is hidden.
struct ShownDestination {
  private static let marks: Set<Character> = ["•", "*"]

  /// What is told, in order, between what is hidden.
  private let parts: [Substring]

  init(_ text: String) {
    parts = text.lowercased().split(
      omittingEmptySubsequences: false,
      whereSeparator: Self.marks.contains
    )
  }

  /// Whether that may be the whole of it.
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
