internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// A sentence about what a form has done, in which a link may stand.
struct WorkbenchNotice: Sendable {
  var words: String
  /// Where the link leads, which it says itself; nil where there is none.
  var address: String?
  /// What stands behind the link.
  var rest: String?
}

/// What `backstage/layout` asks for of a notice.
struct NoticeView: TemplateView {
  enum Name: String, CaseIterable { case words, address, rest }

  let notice: WorkbenchNotice

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .words: .text(\.notice.words)
    case .address: .text(\.notice.address)
    case .rest: .text(\.notice.rest)
    }
  }
}

/// What is told once after a form has done what it asked for, to the browser that sent it.
final class NoticeStore: Sendable {
  static let cookieName = "vestibule_backstage_notice"
  /// The query parameter that names one to another origin.
  static let parameter = "notice"
  /// How many wait at once; those that nobody came to read give way.
  private static let limit = 1000

  private let waiting = Locked<[(id: String, notice: WorkbenchNotice)]>([])

  /// Keeps a notice until it is asked for.
  ///
  /// - Returns: What it is asked for by; nobody guesses it.
  func keep(_ notice: WorkbenchNotice) -> String {
    let id = RandomSource.system.traceID()
    waiting.withLock { waiting in
      if waiting.count >= Self.limit { waiting.removeFirst() }
      waiting.append((id, notice))
    }
    return id
  }

  /// The notice that waits for the browser of a request, which is then gone.
  func take(for request: Request) -> WorkbenchNotice? {
    let cookie = request.cookies.last { $0.name == Self.cookieName }.map { String($0.value) }
    guard let id = request.queryParameters[Self.parameter] ?? cookie else { return nil }
    return waiting.withLock { waiting in
      waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).notice }
    }
  }
}
