import AuthFlow
import Foundation
import Localization

/// One message at a field or in the banner.
///
/// A reference, since it is told at its field, in the summary and to the twin.
final class Message: Sendable {
  let code: String
  let words: Prose
  /// When it is over, on a line of its own.
  let line: Prose?
  /// A link to what helps.
  let link: Link?
  /// What may help, if the words do not say so.
  let nextStep: Phrase?
  let reference: Value
  let until: Date?
  /// What the auth API itself said.
  let detail: ErrorDetail?
  /// The API's identifier of its answer, if it is stamped into each visitor's copy.
  let traceID: String?

  init(
    code: String,
    words: Prose,
    line: Prose? = nil,
    link: Link? = nil,
    nextStep: Phrase? = nil,
    reference: Value,
    until: Date? = nil,
    detail: ErrorDetail? = nil,
    traceID: String? = nil
  ) {
    self.code = code
    self.words = words
    self.line = line
    self.link = link
    self.nextStep = nextStep
    self.reference = reference
    self.until = until
    self.detail = detail
    self.traceID = traceID
  }

  /// The value of a fact from the auth API, as it is written.
  func value(of fact: JSONValue.Member) -> FactValue {
    if fact.isName(traceID) { return .written(.stamp(.traceID)) }
    return if case .string(let text) = fact.value {
      .written(.text(text))
    } else {
      .json(fact.value)
    }
  }

  enum FactValue {
    case written(Value)
    /// Anything but a text.
    case json(JSONValue)
  }

  /// The message without `nextStep`, for when that is said elsewhere.
  var withoutNextStep: Message {
    Message(
      code: code,
      words: words,
      line: line,
      link: link,
      reference: reference,
      until: until,
      detail: detail,
      traceID: traceID
    )
  }

  /// All of it, without markup.
  var text: String { [words.text, line?.text].compactMap(\.self).joined(separator: " ") }
}

/// What is wrong with one field.
struct FieldMessages: Sendable {
  var field: Field
  /// What the field is called in the summary.
  var label: String
  var messages: [Message]
}

/// A page in its frame, with every message assigned to its place: the source of both renderings.
///
/// A reference, since each part of a page speaks of all of it.
final class Presentation: Sendable {
  let page: String
  /// Where the page can be opened; the start for one that has no path of its own.
  let path: String
  /// The page's own path, where a refused form is answered by it.
  let refusedAt: String?
  let step: String
  let flow: FlowName?
  let title: Prose
  let heading: String
  let content: PageContent
  let frame: PageFrame
  private let typed: TypedText?
  /// Renders phrases in the language of the page.
  let wording: Wording
  /// In the order of the page's fields.
  let fieldMessages: [FieldMessages]
  let general: [Message]
  /// The heading of the general messages.
  let generalHeading: String
  /// Whether nothing failed: it takes time, or another message.
  let isOnlyAWait: Bool
  /// The notices in the order of the page: those in place of the lead come first.
  let notices: [(notice: Notice, words: Prose)]
  /// The page's own links, as far as a message does not know better where one leads.
  let ways: [Link]
  /// The link to support.
  let help: Link?
  /// Whether only another code or link leads on.
  let needsNewMessage: Bool

  /// - Parameters:
  ///   - page: The page.
  ///   - frame: The frame around it.
  ///   - catalogue: The messages of its language.
  ///   - usesOwnWords: Whether known problems are reported in our words rather than the auth API's.
  init(
    _ page: any Page,
    in frame: PageFrame,
    _ catalogue: Catalogue<PhraseKey>,
    usesOwnWords: Bool = true
  ) {
    let content = page.content(in: frame)
    let wording = Wording(catalogue, for: frame.visitor)
    let reasonWords = ReasonWords(
      setting: content.setting,
      isAtStart: page.address != nil && page.address == page.flow?.start,
      usesOwnWords: usesOwnWords,
      readsEnglish: catalogue.language.isEnglish,
      hasWords: { catalogue[.code($0)] != nil }
    )
    let writer = MessageWriter(
      reasonWords: reasonWords,
      wording: wording,
      page: page,
      content: content,
      traceID: frame.error?.traceID
    )
    let presented = frame.error.flatMap(content.untold)?.presented(on: page.fields)
    var banner = Banner(by: writer)
    for concern in content.concerns { banner.add(concern) }
    if let refusal = frame.refusal { banner.add(refusal, lacksCookie: frame.lacksCookie) }
    if let presented { banner.add(presented) }

    self.page = page.name
    path = page.address?.path ?? Address.signIn.path
    let isRefused = frame.error != nil || frame.refusal != nil
    refusedAt = isRefused && !frame.isOnShow ? page.address?.path : nil
    self.step = page.step
    self.flow = page.flow
    self.content = content
    typed = page.typedText
    self.wording = wording
    general = banner.messages
    generalHeading = banner.heading.map(wording.text) ?? ""
    isOnlyAWait = banner.advice?.isOnlyAWait ?? false
    fieldMessages =
      presented?.fieldProblems.map { field, problems in
        FieldMessages(
          field: field,
          label: wording.text(content.question(of: field) ?? reasonWords.label(of: field)),
          messages: problems.map { writer.message($0, .stamp(.traceID)) }
        )
      } ?? []
    needsNewMessage = content.needsNewMessage || frame.error?.advice == .requestNewCode
    let ordered = frame.notices.filter(\.isLead) + frame.notices.filter { !$0.isLead }
    notices = ordered.map { ($0, wording.prose(reasonWords.words(for: $0))) }
    let told = Self.links(of: general, fieldMessages)
    ways = content.links.map { link in
      var link = link
      link.href = told.first { $0.name == link.name }?.href ?? link.href
      return link
    }
    help = frame.supportAddress.flatMap(Link.help)
    let isMarked = !content.isErrorItself && (!general.isEmpty || !fieldMessages.isEmpty)
    heading = wording.text(content.heading)
    title = wording.prose(
      .common(
        isMarked ? .pageTitleInError : .pageTitle,
        ["heading": .phrase(content.heading), "application": .text(frame.applicationName)]
      )
    )
    self.frame = frame
  }

  /// Where the messages lead.
  private static func links(of general: [Message], _ atFields: [FieldMessages]) -> [Link] {
    (general + atFields.flatMap(\.messages)).compactMap(\.link)
  }

  /// The page's links and all others, for the twin.
  var links: [Link] {
    let documents = content.forms.flatMap(\.fields).flatMap { $0.label?.documents ?? [] }
    let told = Self.links(of: general, fieldMessages)
    return documents + (content.handover?.links ?? []) + ways
      + told.filter { link in !ways.contains { $0.name == link.name } }
      + [help].compactMap(\.self)
      + frame.look.documents.filter { link in !documents.contains { $0.name == link.name } }
  }

  /// The text of a value on this visitor's copy.
  func text(of value: Value) -> String {
    switch value {
    case .text(let text): text
    case .stamp(let stamp): frame.visitor.text(of: stamp, typed: typed, telling: frame.error)
    }
  }

  func messages(at field: Field) -> [Message] {
    fieldMessages.first { $0.field == field }?.messages ?? []
  }

  /// Whether nothing is wrong, so that the first field may take the focus (E7).
  var isFresh: Bool { general.isEmpty && fieldMessages.isEmpty }

  /// The notices in place of the lead, since they say what it would.
  var leadNotices: [(notice: Notice, words: Prose)] {
    notices.filter(\.notice.isLead)
  }

  /// The notices with a place of their own.
  var otherNotices: [(notice: Notice, words: Prose)] {
    notices.filter { !$0.notice.isLead }
  }

  /// The ids of the notices to be read out with the focused field (E7).
  var newsIDs: [String] {
    (leadNotices.isEmpty ? [] : ["lead"]) + (otherNotices.isEmpty ? [] : ["notices"])
  }

  /// How long before its end a page says so, in seconds (N6).
  private static let lastCall = 600.0

  /// The end of the attempt, if that is still to come, and whether it is soon (N6).
  var end: (words: Phrase, isSoon: Bool)? {
    guard let endsAt = content.endsAt else { return nil }
    let left = endsAt.timeIntervalSince(frame.now)
    guard left >= 0 else { return nil }
    return (
      words: .common(.pageEnds, ["until": .moment(endsAt, .lasting)]),
      isSoon: left <= Self.lastCall
    )
  }

  /// The id of the end of the attempt, if that is soon: it is read out with the focused field (N6).
  var endID: String? { end?.isSoon == true ? "page-ends" : nil }
}

extension PageContent {
  /// What stands over the answers of a field; nil for one that is not a choice of radio buttons,
  /// whose name the summary of errors has.
  fileprivate func question(of field: Field) -> Phrase? {
    forms.flatMap(\.fields).first { $0.field == field && $0.kind == .radio }?.label
  }
}
