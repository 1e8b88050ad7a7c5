import AuthFlow

/// Creates the messages of one page.
struct MessageWriter {
  let reasonWords: ReasonWords
  let wording: Wording
  let page: any Page
  let content: PageContent
  /// The API's identifier of the answer that the page reports.
  let traceID: String?

  /// The message of a problem.
  ///
  /// - Parameters:
  ///   - problem: The problem.
  ///   - reference: The reference that support finds it by.
  ///   - isPage: Whether the page consists of this message and its heading gives the reason.
  /// - Returns: The message with its words and link.
  func message(_ problem: Problem, _ reference: Value, isPage: Bool = false) -> Message {
    let link = reasonWords.link(for: problem) ?? retry(of: problem.reason)
    let shorter = reasonWords.shorterWords(for: problem, isPage: isPage, hasLink: link != nil)
    return Message(
      code: problem.code,
      words: wording.prose(shorter?.words ?? reasonWords.words(for: problem)),
      line: shorter?.line.map(wording.prose),
      link: link,
      nextStep: reasonWords.nextStep(for: problem.reason),
      reference: reference,
      until: ReasonWords.end(of: problem.reason),
      detail: problem.detail,
      traceID: reference == .stamp(.traceID) ? traceID : nil
    )
  }

  /// The message of a refusal by the site, in those words.
  func message(_ refusal: SiteRefusal, saying words: Phrase) -> Message {
    Message(
      code: refusal.rawValue,
      words: wording.prose(words),
      nextStep: refusal.nextStep,
      reference: .stamp(.reference)
    )
  }

  /// The link that reopens the page after the auth API did not answer; it repeats nothing that was
  /// sent.
  ///
  /// It is left out if typed text would be lost: the form itself can be sent again.
  private func retry(of reason: Reason) -> Link? {
    guard reason.isOfTheService else { return nil }
    let kept: Set<Field> = [.identifier, .password, .code]
    let fields = content.forms.flatMap(\.fields).filter(\.isVisible).map(\.field)
    guard kept.isSuperset(of: fields), let address = page.address,
      address.hasForm || address == .account
    else { return nil }
    return Link("try-again", href: address.path, words: .common(.actionTryAgain))
  }
}

/// The messages that belong to no field, and their heading, which the first of them determines.
struct Banner {
  private let writer: MessageWriter
  private var told: [Message] = []
  /// Nil where nothing is told.
  private(set) var heading: Phrase?
  /// The advice; nil if a refusal by the site comes first.
  private(set) var advice: RetryAdvice?

  /// One that tells nothing yet.
  init(by writer: MessageWriter) { self.writer = writer }

  /// The messages, with what may help with several of them below the last of these alone.
  var messages: [Message] {
    told.enumerated().map { index, message in
      let isSaidBelow = told[(index + 1)...].contains { $0.nextStep == message.nextStep }
      return message.nextStep != nil && isSaidBelow ? message.withoutNextStep : message
    }
  }

  /// Adds what the page itself is about.
  mutating func add(_ concern: PageContent.Concern) {
    switch concern {
    case .refusal(let refusal): add(refusal, lacksCookie: false)
    case .error(let error):
      let sorted = error.presented(on: [])
      let reference = sorted.traceID.map(Value.text) ?? .stamp(.reference)
      let isPage = writer.content.outcome != nil
      add(
        sorted.generalProblems.map { writer.message($0, reference, isPage: isPage) },
        advising: sorted.advice
      )
    }
  }

  /// Adds a refusal by the site.
  mutating func add(_ refusal: SiteRefusal, lacksCookie: Bool) {
    let other = lacksCookie ? refusal.wordsWithoutCookie : nil
    let own = heading == nil ? refusal.wordsBelowHeading : refusal.words
    add(
      [writer.message(refusal, saying: other?.words ?? own)],
      under: other?.heading ?? refusal.heading
    )
  }

  /// Adds the problems of the auth API's refusal that belong to no field.
  mutating func add(_ error: PresentedError) {
    guard let first = error.generalProblems.first else { return }
    add(
      error.generalProblems.map { writer.message($0, .stamp(.traceID)) },
      advising: error.fieldProblems.isEmpty ? error.advice : first.reason.usualAdvice
    )
  }

  private mutating func add(_ messages: [Message], advising advice: RetryAdvice) {
    let isFirst = heading == nil
    add(messages, under: writer.reasonWords.heading(for: advice))
    if isFirst { self.advice = advice }
  }

  private mutating func add(_ messages: [Message], under heading: Phrase) {
    told += messages
    if self.heading == nil { self.heading = heading }
  }
}
