internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Locking

/// What is told once after a form has done what it asked for, to the browser that sent it.
final class NoticeStore: Sendable {
  static let cookieName = "vestibule_backstage_notice"
  /// The query parameter that names one to another origin.
  static let parameter = "notice"
  /// How many wait at once; those that nobody came to read give way.
  private static let limit = 1000

  private let waiting = Locked<[(id: String, words: String)]>([])

  /// Keeps the words until they are asked for.
  ///
  /// - Returns: What they are asked for by; nobody guesses it.
  func keep(_ words: String) -> String {
    let id = RandomSource.system.traceID()
    waiting.withLock { waiting in
      if waiting.count >= Self.limit { waiting.removeFirst() }
      waiting.append((id, words))
    }
    return id
  }

  /// The words that wait for the browser of a request, which are then gone.
  func take(for request: Request) -> String? {
    let cookie = request.cookies.last { $0.name == Self.cookieName }.map { String($0.value) }
    guard let id = request.queryParameters[Self.parameter] ?? cookie else { return nil }
    return waiting.withLock { waiting in
      waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).words }
    }
  }
}
