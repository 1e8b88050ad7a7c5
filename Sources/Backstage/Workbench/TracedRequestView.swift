internal import Emulators
internal import HTTPExchange
internal import Pages

/// What `backstage/request` asks for: a page request, from the form to the page that was sent.
struct RequestView: TemplateView {
  enum Name: String, CaseIterable {
    case id, current, method, path, moment, time, query, form, calls, messages, notices, answer
    case address, alone, dropped
  }

  let trace: Trace
  let page: TracesPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .id: .text(\.trace.id)
    case .current: .flag(\.isMarked)
    case .alone: .flag { $0.trace.page == nil }
    case .method: .text { $0.trace.page?.method }
    case .path: .text { $0.trace.page?.path }
    case .moment: .view { $0.page.context.moments.past($0.trace.startedAt) }
    case .time: .text { $0.trace.answer?.duration.shown }
    case .query: .each { view in view.trace.answer?.query.map(ParameterView.init) ?? [] }
    case .form: .each { view in view.trace.answer?.form.map(ParameterView.init) ?? [] }
    case .calls:
      .each { view in
        view.trace.calls.enumerated().map { CallView(index: $0, call: $1, request: view) }
      }
    case .messages:
      .each { view in
        view.page.stories.ownMessages(of: view.trace).map(MessageLine.init)
      }
    case .notices:
      .text { view in
        view.trace.answer.flatMap { $0.notices.isEmpty ? nil : $0.notices.joined(separator: ", ") }
      }
    case .dropped: .text { $0.trace.answer?.droppedReturnAddress }
    case .answer: .text { $0.trace.answer.map(Self.words) }
    case .address:
      .text { view in
        view.trace.answer.flatMap { answer in
          answer.page.map { page in
            var query: FormData = ["page": page]
            for code in answer.messages.map(\.code) + answer.notices { query.append("code", code) }
            return query.address(at: Atlas.lookUpPath)
          }
        }
      }
    }
  }

  private var isMarked: Bool { trace.number == page.marked }

  /// The response in words.
  private static func words(_ answer: PageAnswer) -> String {
    if let location = answer.location { return "\(answer.status): on to \(location)" }
    return answer.page.map { "\(answer.status): the page \($0)" } ?? "\(answer.status): a file"
  }

  /// An error that is not from a call, and where the page shows it.
  struct MessageLine: TemplateView {
    enum Name: String, CaseIterable { case code, place, facts }

    let message: PageAnswer.Message

    init(_ message: PageAnswer.Message) { self.message = message }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .code: .text(\.message.code)
      case .place:
        .text { $0.message.field.map { "at the field \($0)" } ?? "as the banner" }
      case .facts: .each { ($0.message.detail.members ?? []).compactMap(ParameterView.init) }
      }
    }
  }
}

/// A name and its value.
struct ParameterView: TemplateView {
  enum Name: String, CaseIterable { case name, value }

  let name: String
  let value: String

  init(_ parameter: TracedCall.Parameter) { (name, value) = (parameter.name, parameter.value) }

  /// Nil for a null value.
  init?(_ member: JSON.Member) {
    guard member.value != .null else { return nil }
    (name, value) = (member.name, member.value.shown)
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .name: .text(\.name)
    case .value: .text(\.value)
    }
  }
}

/// What `backstage/call` asks for: a call to the API, as it was made and answered.
struct CallView: TemplateView {
  enum Name: String, CaseIterable {
    case method, path, status, kind, time, fault, form, content, answer, longAnswer, lines
    case unread, sentFields, answeredFields, snippets, problems
  }

  let index: Int
  let call: TracedCall
  let request: RequestView

  /// The largest number of lines that is shown unfolded.
  private static let shortAnswer = 40

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .method: .text(\.call.method)
    case .path: .text(\.call.target)
    case .status: .text { $0.call.status == 0 ? "no answer" : String($0.call.status) }
    case .kind: .text { (200..<400).contains($0.call.status) ? "plain" : "stop" }
    case .time: .text(\.call.duration.shown)
    case .fault:
      .text { view in view.call.faultID.map { "\($0): \(view.call.faultEffect ?? "")" } }
    case .form: .each { $0.call.form.map(ParameterView.init) }
    case .content: .text { $0.call.content?.indented() }
    case .answer: .text { $0.isLong ? nil : $0.answer }
    case .longAnswer: .text { $0.isLong ? $0.answer : nil }
    case .lines: .text { $0.isLong ? $0.lineCount.map(String.init) : nil }
    case .unread:
      .text { view in
        view.call.answer == nil && view.call.status != 0
          ? "\(view.call.answerByteCount) bytes, which are not kept." : nil
      }
    case .sentFields: .text { $0.written($0.call.headerFields) }
    case .answeredFields: .text { $0.written($0.call.answerFields) }
    case .snippets:
      .each { view in
        CallSnippet.all(of: view.call, to: view.request.page.context.worlds.api).map {
          SnippetView(snippet: $0, id: "\(view.request.trace.id)-\(view.index)")
        }
      }
    case .problems:
      .each { view in
        view.request.page.stories.problems(of: view.call, in: view.request.trace).map {
          ProblemView(problem: $0, trace: view.request.trace)
        }
      }
    }
  }

  private var answer: String? { call.answer?.indented() }
  private var lineCount: Int? { answer?.utf8.count { $0 == UInt8(ascii: "\n") } }
  private var isLong: Bool { (lineCount ?? 0) > Self.shortAnswer }

  private func written(_ fields: [TracedCall.Parameter]) -> String? {
    fields.isEmpty ? nil : fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  struct SnippetView: TemplateView {
    enum Name: String, CaseIterable { case id, title, text }

    let snippet: CallSnippet
    let id: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .id: .text { "\($0.id)-\($0.snippet.language)" }
      case .title: .text(\.snippet.title)
      case .text: .text(\.snippet.text)
      }
    }
  }

  /// An error of the API, and where it was shown.
  struct ProblemView: TemplateView {
    enum Name: String, CaseIterable { case code, facts, shown, address, elsewhere }

    let problem: TraceStories.Problem
    let trace: Trace

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .code: .text(\.problem.code)
      case .facts:
        .each { $0.problem.facts.filter { $0.name != "code" }.compactMap(ParameterView.init) }
      case .shown:
        .text { view in
          view.problem.placement.map { placement in
            let place = placement.field.map { "at the field \($0)" } ?? "as the banner"
            return "\(place) of \(placement.page)"
          }
        }
      case .elsewhere:
        .flag { view in view.problem.placement.map { $0.traceID != view.trace.id } ?? false }
      case .address: .text { view in view.problem.placement.map { "#\($0.traceID)" } }
      }
    }
  }
}

extension Duration {
  /// `12.3 ms`.
  fileprivate var shown: String { "\(inMilliseconds) ms" }
}
