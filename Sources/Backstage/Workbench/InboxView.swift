internal import Emulators
internal import Pages

/// What `backstage/inbox` asks for.
struct InboxView: TemplateView {
  enum Name: String, CaseIterable {
    case words, purposes, searched, latest, chosen, messages, first, further, nothing, opened, apps
    case clearing
  }

  let inbox: Inbox

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .words: .text { $0.inbox.search.words }
    case .purposes:
      .each { view in
        Message.Purpose.allCases.map { PurposeView($0, isChosen: $0 == view.inbox.search.purpose) }
      }
    case .searched: .flag { !$0.inbox.search.isEmpty }
    case .latest: .text { $0.inbox.latestID ?? "" }
    case .chosen: .flag(\.inbox.isChosen)
    case .messages:
      .each { view in
        view.inbox.messages.elements.map { MessageRow($0, in: view.inbox) }
      }
    case .first: .text(\.inbox.first)
    case .further: .text(\.inbox.further)
    case .nothing:
      .text { view in
        guard view.inbox.messages.elements.isEmpty else { return nil }
        return view.inbox.search.isEmpty
          ? "No message has been sent yet." : "No message matches all of that."
      }
    case .opened: .view { view in view.inbox.opened.map { OpenedMessage($0, in: view.inbox) } }
    case .apps: .each { view in view.inbox.apps.map { AppView($0, $1, view.inbox.context) } }
    case .clearing:
      .view { view in
        view.inbox.latestID.map { _ in
          QuestionView(
            question: view.inbox.context.question(
              "clear",
              on: .inbox,
              opening: "Delete all…",
              words: "Every message of this world is deleted, including those that are not listed.",
              button: "Delete all messages"
            )
          )
        }
      }
    }
  }

  struct PurposeView: TemplateView {
    enum Name: String, CaseIterable { case value, words, chosen }

    let purpose: Message.Purpose
    let isChosen: Bool

    init(_ purpose: Message.Purpose, isChosen: Bool) {
      (self.purpose, self.isChosen) = (purpose, isChosen)
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .value: .text { $0.purpose.rawValue }
      case .words: .text { $0.purpose.words }
      case .chosen: .flag(\.isChosen)
      }
    }
  }

  /// The current code of an authenticator app.
  struct AppView: TemplateView {
    enum Name: String, CaseIterable { case whose, code, until, id }

    let account: AccountDescription
    let reading: AuthenticatorReading
    let context: WorkbenchContext

    init(
      _ account: AccountDescription,
      _ reading: AuthenticatorReading,
      _ context: WorkbenchContext
    ) {
      (self.account, self.reading, self.context) = (account, reading, context)
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .whose: .text { $0.account.shortName }
      case .code: .text { $0.reading.code }
      case .until: .view { $0.context.moments.lasting($0.reading.validUntil) }
      case .id: .text { "app-\($0.account.id ?? "")" }
      }
    }
  }
}

/// A message in the list.
struct MessageRow: TemplateView {
  enum Name: String, CaseIterable {
    case to, purpose, purposeName, channel, channelName, sent, moment, code, address, current
  }

  let message: Message
  let inbox: Inbox

  init(_ message: Message, in inbox: Inbox) { (self.message, self.inbox) = (message, inbox) }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .to: .text { $0.message.to }
    case .purpose: .text { $0.message.purpose.words }
    case .purposeName: .text { $0.message.purpose.rawValue }
    case .channel: .text { $0.message.channel.words }
    case .channelName: .text { $0.message.channel.rawValue }
    case .sent: .flag { $0.message.sent }
    case .moment: .view { $0.inbox.context.moments.past($0.message.createdAt) }
    case .code: .text { $0.message.code }
    case .address: .text { $0.inbox.address(of: $0.message) }
    case .current: .flag { $0.message.id == $0.inbox.opened?.id }
    }
  }
}

/// The message that is shown in full.
struct OpenedMessage: TemplateView {
  enum Name: String, CaseIterable {
    case row, subject, link, parts, text, language, subjectLanguage, list
    case deleting
  }

  let message: Message
  let inbox: Inbox

  init(_ message: Message, in inbox: Inbox) { (self.message, self.inbox) = (message, inbox) }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .row: .view { MessageRow($0.message, in: $0.inbox) }
    case .subject: .text { $0.message.heading }
    case .link: .text { $0.message.link }
    case .parts: .each { view in view.message.parts.map { PartView(part: $0) } }
    case .text: .text { $0.message.text }
    case .language: .text { $0.message.language }
    // A heading in place of a subject is backstage's own.
    case .subjectLanguage: .text { $0.message.subject == nil ? nil : $0.message.language }
    case .list: .text { $0.inbox.address() }
    case .deleting:
      .view { view in
        QuestionView(
          question: view.inbox.context.question(
            "delete",
            on: .inbox,
            hidden: ["id": view.message.id],
            opening: "Delete…",
            words: "A code in it stays valid.",
            button: "Delete this message"
          )
        )
      }
    }
  }

  struct PartView: TemplateView {
    enum Name: String, CaseIterable { case words, link }

    let part: Message.Part

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text { if case .words(let words) = $0.part { words } else { nil } }
      case .link: .text { if case .link(let link) = $0.part { link } else { nil } }
      }
    }
  }
}

extension Message {
  /// A part of what a message says.
  enum Part: Hashable {
    case words(String)
    case link(String)
  }

  /// The paragraphs of the text; its link is a part of its own.
  var parts: [Part] {
    text.split(separator: "\n").flatMap { paragraph -> [Part] in
      guard let link, let range = paragraph.firstRange(of: link) else {
        return [.words(String(paragraph))]
      }
      let around = [paragraph[..<range.lowerBound], paragraph[range.upperBound...]]
      let words = around.map { $0.contains(where: \.isLetter) ? [Part.words(String($0))] : [] }
      return words[0] + [.link(link)] + words[1]
    }
  }
}

extension AccountDescription {
  /// The short name of an account: an address, a number or its username, or else its id.
  var shortName: String {
    emailAddresses.first ?? phoneNumbers.first ?? username ?? id ?? ""
  }
}

extension Message {
  /// Its subject, or its purpose if it has none, as texts do not.
  var heading: String { subject ?? purpose.words }
}
