internal import Emulators
internal import HTTPExchange
internal import Pages

/// The inbox: the mail and texts that would have been sent, newest first, one of them opened, and
/// the current codes of the accounts' authenticator apps.
struct Inbox {
  /// The query parameter with the message after which the list goes on.
  static let after = "after"

  /// The messages that are found.
  var messages: ListPart<Message>
  /// The message that is shown in full; nil if there is none.
  var opened: Message?
  /// Whether the query asked for that message.
  var isChosen: Bool
  /// Why no message is shown in full although the query asks for one; nil if it is shown.
  var refusal: BackstageRefusal?
  /// The newest of all messages, whatever the search.
  var latestID: String?
  var search: Search
  var apps: [(account: AccountDescription, reading: AuthenticatorReading)]
  let context: WorkbenchContext

  /// The search.
  struct Search {
    static let words = "q"
    static let purpose = "purpose"

    var words: String
    var purpose: Message.Purpose?

    init(_ query: FormData) {
      words = query[Self.words] ?? ""
      purpose = query[Self.purpose].flatMap(Message.Purpose.init)
    }

    var isEmpty: Bool { SearchWords(words).isEmpty && purpose == nil }

    /// Whether the message's recipient or contents contain every word, and its purpose matches.
    func finds(_ message: Message) -> Bool {
      guard purpose == nil || purpose == message.purpose else { return false }
      let texts = [message.to, message.subject ?? "", message.text, message.purpose.words]
      return SearchWords(words).stand(in: texts)
    }

    /// The query of the same search, with further fields.
    func query(_ more: FormData = [:]) -> FormData {
      var form = more
      if !words.isEmpty { form.append(Self.words, words) }
      if let purpose { form.append(Self.purpose, purpose.rawValue) }
      return form
    }
  }

  /// - Throws: What SQLite reports.
  init(_ context: WorkbenchContext) async throws {
    let all = try await context.world.outbox.messages()
    let search = Search(context.request.queryParameters)
    let found = search.isEmpty ? all : all.filter(search.finds)
    let id = context.request.queryParameters["message"]
    let chosen = id.flatMap { id in all.first { $0.id == id } }
    self.context = context
    self.search = search
    let last = context.request.queryParameters[Self.after]
    messages = ListPart(of: found, after: found.firstIndex { $0.id == last })
    opened = id == nil ? messages.elements.first : chosen
    isChosen = chosen != nil
    if let id, chosen == nil { refusal = .missing("message", id) }
    latestID = all.first?.id
    apps = try await context.world.authenticatorReadings()
  }

  /// The address of the list, or of one message of it.
  func address(of message: Message? = nil) -> String {
    var query = search.query(message.map { ["message": $0.id] } ?? [:])
    if messages.isLater, let last = context.request.queryParameters[Self.after] {
      query.append(Self.after, last)
    }
    return query.address(at: WorkbenchTool.inbox.path) + (message == nil ? "" : "#message")
  }

  /// The address of what follows in the list; nil if nothing does.
  var further: String? {
    guard messages.hasMore, let last = messages.elements.last else { return nil }
    return search.query([Self.after: last.id]).address(at: WorkbenchTool.inbox.path)
  }

  /// The address of the list's beginning; nil if that is what is shown.
  var first: String? {
    messages.isLater ? search.query().address(at: WorkbenchTool.inbox.path) : nil
  }
}

extension Message.Purpose {
  /// What a message is for.
  var words: String {
    switch self {
    case .signIn: "Sign in"
    case .secondFactor: "Second factor"
    case .clientTrust: "New device"
    case .signUp: "Sign up"
    case .resetPassword: "Reset the password"
    case .phoneNumber: "Phone number"
    case .invitation: "Invitation"
    }
  }
}

extension Message.Channel {
  var words: String {
    switch self {
    case .email: "Email"
    case .sms: "Text"
    }
  }
}
