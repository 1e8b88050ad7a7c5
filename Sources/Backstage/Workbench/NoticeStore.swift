internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// A sentence about what a form has done, which may contain a link.
struct WorkbenchNotice: Sendable {
  var words: String
  /// The address of the link, which is also its text; nil if there is no link.
  var address: String?
  /// The text after the link.
  var rest: String?
  /// The button of the bar's clock that was pressed; nil if the form was another.
  var pressed: ClockButton?
}

/// A button of the bar's clock, which keeps the focus, so that it can be pressed again.
enum ClockButton: Equatable, Sendable {
  case step(seconds: Int)
  /// Freeze or Run: one takes the other's place.
  case freeze

  /// - Returns: Nil for any other form, also for those of the clock's own page, which do not say
  ///   where to go back.
  init?(of form: FormData, on tool: WorkbenchTool) {
    guard tool == .clock, form["back"] != nil else { return nil }
    switch form["action"] ?? "" {
    case "advance":
      let seconds = FrameView.steps.map { $0.0 }.first { form["advance_seconds"] == String($0) }
      guard let seconds else { return nil }
      self = .step(seconds: seconds)
    case "freeze", "run": self = .freeze
    default: return nil
    }
  }
}

/// What `backstage/layout` asks about a notice.
struct NoticeView: TemplateView {
  enum Name: String, CaseIterable { case words, address, rest, focus }

  let notice: WorkbenchNotice

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .words: .text(\.notice.words)
    case .address: .text(\.notice.address)
    case .rest: .text(\.notice.rest)
    case .focus: .flag { $0.notice.pressed == nil }
    }
  }
}

/// Notices that are shown once, after a form has been carried out, to the browser that sent it.
final class NoticeStore: Sendable {
  private static let cookieName = "vestibule_backstage_notice"
  /// The query parameter that carries a notice's id to another origin.
  static let parameter = "notice"
  /// The largest number that waits; beyond it the oldest is dropped.
  private static let limit = 1000

  private let waiting = Locked<[(id: String, notice: WorkbenchNotice)]>([])

  /// Keeps a notice until it is taken.
  ///
  /// - Returns: Its unguessable id.
  func keep(_ notice: WorkbenchNotice) -> String {
    let id = RandomSource.system.traceID()
    waiting.withLock { waiting in
      if waiting.count >= Self.limit { waiting.removeFirst() }
      waiting.append((id, notice))
    }
    return id
  }

  /// The cookie that names the notice for a browser.
  static func cookie(_ id: String, isSecure: Bool) -> SetCookie {
    let name = CookieName(cookieName, isSecure: isSecure)
    return SetCookie(name: name, value: id, maximumAge: .seconds(60))
  }

  /// Removes and returns the notice that waits for a request's browser.
  func take(for request: Request, isSecure: Bool) -> WorkbenchNotice? {
    let cookie = request.cookie(CookieName(Self.cookieName, isSecure: isSecure)).map { String($0) }
    guard let id = request.queryParameters[Self.parameter] ?? cookie else { return nil }
    return waiting.withLock { waiting in
      waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).notice }
    }
  }
}
