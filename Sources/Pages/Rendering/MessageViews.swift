import AuthFlow
import Foundation

/// What `partials/prose` asks for.
package struct ProseView: TemplateView {
  package enum Name: String, CaseIterable, Sendable { case spans }

  private let prose: Prose
  private let isRightToLeft: Bool

  /// - Parameters:
  ///   - prose: The words.
  ///   - isRightToLeft: Whether their language is written from right to left.
  init(_ prose: Prose, isRightToLeft: Bool = false) {
    self.prose = prose
    self.isRightToLeft = isRightToLeft
  }

  init(_ phrase: Phrase, in wording: Wording) {
    self.init(wording.prose(phrase), isRightToLeft: wording.isRightToLeft)
  }

  package static func word(for name: Name) -> Word<Self> {
    switch name {
    case .spans:
      .each { view in
        view.prose.spans.map { SpanView(span: $0, isRightToLeft: view.isRightToLeft) }
      }
    }
  }
}

/// Words that are marked up, or not.
struct SpanView: TemplateView {
  enum Name: String, CaseIterable {
    case text, isolated, english, strong, time, relative, remaining, datetime, document, rightToLeft
  }

  let span: Prose.Span
  let isRightToLeft: Bool

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .text: .text { if case .text(let words) = $0.span { words } else { nil } }
    case .isolated: .text { if case .isolated(let words) = $0.span { words } else { nil } }
    case .english: .text { if case .english(let words) = $0.span { words } else { nil } }
    // A number is broken only where it is longer than a line.
    case .strong:
      .text {
        if case .strong(let words) = $0.span { words.replacing(" ", with: "\u{A0}") } else { nil }
      }
    case .time: .text { if case .time(let words, _) = $0.span { words } else { nil } }
    case .relative: .text { if case .relative(let words, _) = $0.span { words } else { nil } }
    case .remaining: .text { if case .remaining(let words, _) = $0.span { words } else { nil } }
    case .datetime: .text { $0.moment?.timestamp }
    case .document:
      .view {
        if case .document(let link, let words) = $0.span {
          LinkView(link, words: words)
        } else {
          nil
        }
      }
    case .rightToLeft: .flag { $0.isRightToLeft }
    }
  }

  private var moment: Date? {
    switch span {
    case .time(_, let date), .relative(_, let date), .remaining(_, let date): date
    case .text, .isolated, .english, .strong, .document: nil
    }
  }
}

/// The general errors of a page (E6).
struct BannerView: TemplateView {
  enum Name: String, CaseIterable {
    case heading, messages, facts, reference, time, timestamp, focus, calm
  }

  private let presentation: Presentation
  private let facts: [FactView]

  init?(_ presentation: Presentation) {
    guard !presentation.general.isEmpty else { return nil }
    self.presentation = presentation
    facts = FactView.facts(of: presentation.general)
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .heading: .text { $0.presentation.generalHeading }
    case .messages:
      .each { view in
        view.presentation.general.map { MessageView($0, in: view.presentation.wording) }
      }
    case .facts: .each { $0.facts }
    case .reference: .value { $0.presentation.general.first?.reference }
    case .time:
      .text { $0.presentation.wording.times?.exactly($0.presentation.frame.now) }
    case .timestamp: .value { _ in .stamp(.now) }
    case .calm: .flag { $0.presentation.isOnlyAWait }
    // The summary takes the focus where there is one (E7).
    case .focus: .flag { $0.presentation.fieldMessages.isEmpty }
    }
  }
}

/// One fact from the auth API's own answer.
struct FactView: TemplateView {
  enum Name: String, CaseIterable { case name, value }

  let name: String
  let value: Value

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .name: .text { $0.name }
    case .value: .value { $0.value }
    }
  }

  /// All facts of some messages, in order.
  static func facts(of messages: [Message]) -> [FactView] {
    messages.flatMap { message -> [FactView] in
      guard let detail = message.detail else { return [] }
      return [FactView(name: "kind", value: .text(detail.kind.rawValue))]
        + detail.facts.compactMap { fact -> FactView? in
          switch message.value(of: fact) {
          case .written(let value): return FactView(name: fact.name, value: value)
          case .json(.null): return nil
          case .json(let value):
            var writer = JSONWriter(capacity: 64)
            writer.value(value)
            return FactView(
              name: fact.name,
              value: .text(String(decoding: writer.still.bytes, as: UTF8.self))
            )
          }
        }
    }
  }
}

/// One message, at a field or in the banner.
struct MessageView: TemplateView {
  enum Name: String, CaseIterable { case code, stop, words, line, link, nextStep }

  private let message: Message
  private let wording: Wording
  /// What is heard before it, where the message before it ends without a full stop: they stand on
  /// lines of their own only for the eye.
  private let stop: String?

  init(_ message: Message, in wording: Wording, after stop: String? = nil) {
    self.message = message
    self.wording = wording
    self.stop = stop
  }

  /// Messages in a row.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - wording: Their language.
  ///   - stop: The full stop of messages that are in no catalogue's language.
  /// - Returns: A view of each; a full stop is read between two that stand on lines of their own.
  static func all(
    _ messages: [Message],
    in wording: Wording,
    stop: String? = nil
  ) -> [MessageView] {
    guard !messages.isEmpty else { return [] }
    let stop = stop ?? wording.text(.common(.textStop))
    return messages.indices.map { index in
      let isAfterOpenEnd = index > messages.startIndex && messages[index - 1].hasOpenEnd
      return MessageView(messages[index], in: wording, after: isAfterOpenEnd ? stop : nil)
    }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .code: .text { $0.message.code }
    case .stop: .text { $0.stop }
    case .words:
      .view { ProseView($0.message.words, isRightToLeft: $0.wording.isRightToLeft) }
    case .line:
      .view { view in
        view.message.line.map { ProseView($0, isRightToLeft: view.wording.isRightToLeft) }
      }
    case .link: .view { view in view.message.link.map { LinkView($0, in: view.wording) } }
    case .nextStep: .view { view in view.message.nextStep.map { ProseView($0, in: view.wording) } }
    }
  }
}

extension Message {
  /// Whether it ends without a full stop.
  fileprivate var hasOpenEnd: Bool { link != nil || words.text.last?.isPunctuation != true }
}

/// The list of fields in error (E5).
struct SummaryView: TemplateView {
  enum Name: String, CaseIterable { case one, several, entries, facts }

  private let entries: [Entry]
  private let facts: [FactView]

  init?(_ presentation: Presentation) {
    guard !presentation.fieldMessages.isEmpty else { return nil }
    facts = FactView.facts(of: presentation.fieldMessages.flatMap(\.messages))
    entries = presentation.fieldMessages.map { wrong in
      let form = presentation.content.forms.first { form in
        form.fields.contains { $0.field == wrong.field }
      }
      return Entry(
        target: FieldView.id(of: wrong.field, in: form?.name ?? ""),
        label: wrong.label,
        messages: wrong.messages,
        wording: presentation.wording
      )
    }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .one: .view { $0.entries.count == 1 ? $0.entries[0] : nil }
    case .several: .flag { $0.entries.count > 1 }
    case .entries: .each { $0.entries }
    case .facts: .each { $0.facts }
    }
  }

  /// One link for one field, with all that is wrong with it.
  struct Entry: TemplateView {
    enum Name: String, CaseIterable { case target, label, messages }

    let target: String
    let label: String
    let messages: [Message]
    let wording: Wording

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .target: .text { $0.target }
      case .label: .text { $0.label }
      case .messages: .each { MessageView.all($0.messages, in: $0.wording) }
      }
    }
  }
}

struct NoticeView: TemplateView {
  enum Name: String, CaseIterable { case code, prose }

  let notice: Notice
  let words: Prose
  let isRightToLeft: Bool

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .code: .text { $0.notice.rawValue }
    case .prose: .view { ProseView($0.words, isRightToLeft: $0.isRightToLeft) }
    }
  }
}
