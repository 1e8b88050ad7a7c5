import AuthFlow

/// What `partials/prose` asks for.
///
/// Most prose is one plain text, so that is asked for first: each name costs about a microsecond.
final class ProseView: TemplateView {
  enum Name: String, CaseIterable { case plain, spans }

  private let prose: Prose

  init(_ prose: Prose) { self.prose = prose }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .plain: .text(plain)
    case .spans: .list(plain == nil ? prose.spans.map(SpanView.init) : [])
    }
  }

  private var plain: String? {
    guard prose.spans.count == 1, case .text(let words) = prose.spans[0] else { return nil }
    return words
  }
}

final class SpanView: TemplateView {
  enum Name: String, CaseIterable { case text, mark }

  private let span: Prose.Span

  init(_ span: Prose.Span) { self.span = span }

  func value(of name: Name) -> TemplateValue {
    switch (name, span) {
    case (.text, .text(let words)): .text(words)
    case (.text, .strong), (.text, .time), (.text, .relative), (.text, .remaining),
      (.text, .document):
      .text(nil)
    case (.mark, .text): .view(nil)
    case (.mark, .strong), (.mark, .time), (.mark, .relative), (.mark, .remaining),
      (.mark, .document):
      .view(Mark(span))
    }
  }

  /// Words that are marked up.
  final class Mark: TemplateView {
    enum Name: String, CaseIterable { case strong, time, relative, remaining, datetime, document }

    private let span: Prose.Span

    init(_ span: Prose.Span) { self.span = span }

    func value(of name: Name) -> TemplateValue {
      switch (name, span) {
      case (.strong, .strong(let words)), (.time, .time(let words, _)),
        (.relative, .relative(let words, _)), (.remaining, .remaining(let words, _)):
        .text(words)
      case (.datetime, .time(_, let date)), (.datetime, .relative(_, let date)),
        (.datetime, .remaining(_, let date)):
        .text(date.timestamp)
      case (.document, .document(let link)): .view(LinkView(link))
      case (.document, _): .view(nil)
      case (.strong, _), (.time, _), (.relative, _), (.remaining, _), (.datetime, _): .text(nil)
      }
    }
  }
}

/// The general errors of a page (E6).
final class BannerView: TemplateView {
  enum Name: String, CaseIterable {
    case heading, messages, facts, reference, time, timestamp, focus
  }

  private let presentation: Presentation

  init?(_ presentation: Presentation) {
    guard !presentation.general.isEmpty else { return nil }
    self.presentation = presentation
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .heading: .text(presentation.generalHeading)
    case .messages: .list(presentation.general.map(MessageView.init))
    case .facts: .list(FactView.facts(of: presentation.general))
    case .reference: .text(presentation.general.first?.reference)
    case .time: .text(presentation.times.exactly(presentation.frame.now))
    case .timestamp: .text(presentation.frame.now.timestamp)
    // The summary takes the focus where there is one (E7).
    case .focus: .flag(presentation.fieldMessages.isEmpty)
    }
  }
}

/// One thing that the auth API itself said.
final class FactView: TemplateView {
  enum Name: String, CaseIterable { case name, value }

  private let name: String
  private let text: String

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// All that was said of those messages, one after the other.
  static func facts(of messages: [Message]) -> [FactView] {
    messages.compactMap(\.detail).flatMap { detail in
      [FactView("kind", detail.kind.rawValue)]
        + detail.facts.compactMap { fact -> FactView? in
          switch fact.value {
          case .null: return nil
          case .string(let text): return FactView(fact.name, text)
          case .bool, .number, .decimal, .array, .object:
            var writer = JSONWriter(capacity: 64)
            writer.value(fact.value)
            return FactView(fact.name, String(decoding: writer.bytes, as: UTF8.self))
          }
        }
    }
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .name: .text(self.name)
    case .value: .text(text)
    }
  }
}

/// One message, at a field or in the banner.
final class MessageView: TemplateView {
  enum Name: String, CaseIterable { case code, words, link, nextStep }

  private let message: Message

  init(_ message: Message) { self.message = message }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .code: .text(message.code)
    case .words: .view(ProseView(message.words))
    case .link: .view(message.link.map(LinkView.init))
    case .nextStep: .view(message.nextStep.map(ProseView.init))
    }
  }
}

/// The list of fields in error (E5).
final class SummaryView: TemplateView {
  enum Name: String, CaseIterable { case entries, facts }

  private let entries: [Entry]
  private let facts: [FactView]

  init?(_ presentation: Presentation) {
    guard !presentation.fieldMessages.isEmpty else { return nil }
    facts = FactView.facts(of: presentation.fieldMessages.flatMap(\.messages))
    entries = presentation.fieldMessages.map { field, messages in
      let form = presentation.content.forms.first { form in
        form.fields.contains { $0.field == field }
      }
      return Entry(
        target: FieldView.id(of: field, in: form?.name ?? ""),
        messages: messages
      )
    }
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .entries: .list(entries)
    case .facts: .list(facts)
    }
  }

  /// One link for one field, with all that is wrong with it.
  final class Entry: TemplateView {
    enum Name: String, CaseIterable { case target, messages }

    private let target: String
    private let messages: [Message]

    init(target: String, messages: [Message]) {
      self.target = target
      self.messages = messages
    }

    func value(of name: Name) -> TemplateValue {
      switch name {
      case .target: .text(target)
      case .messages: .list(messages.map(MessageView.init))
      }
    }
  }
}

final class NoticeView: TemplateView {
  enum Name: String, CaseIterable { case code, prose }

  private let notice: Notice
  private let words: Prose

  init(_ notice: Notice, _ words: Prose) {
    self.notice = notice
    self.words = words
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .code: .text(notice.rawValue)
    case .prose: .view(ProseView(words))
    }
  }
}
