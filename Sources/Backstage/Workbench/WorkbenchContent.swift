internal import Emulators
internal import Headless
internal import Pages

/// What a tool shows and offers.
struct WorkbenchContent {
  /// Why the content is not what was requested.
  var refusal: BackstageRefusal?
  /// The inbox, on its own page.
  var inbox: Inbox?
  /// The accounts, on theirs.
  var users: UsersPage?
  /// What the API refuses with, on its own.
  var errors: ErrorsPage?
  /// The states of the pages, on theirs.
  var gallery: Gallery?
  /// The flows, drawn.
  var charts: [FlowChart] = []
  /// The stories of the visits, on theirs.
  var traces: TracesPage?
  /// The stories to play, on their own page.
  var stories: StoriesPage?
  var lead: [String] = []
  var facts: [Fact] = []
  var lists: [List] = []
  var groups: [WorkbenchGroup] = []
  var forms: [WorkbenchForm] = []
  /// Destructive forms, each behind a question.
  var questions: [WorkbenchQuestion] = []
  /// Pages that are shown within this one.
  var previews: [Preview] = []

  /// The heading of the one thing that is open; nil if none is (R5).
  var openedName: String? {
    if let inbox { return inbox.isChosen ? inbox.opened?.heading : nil }
    if let users { return users.openedName }
    if let traces { return traces.isChosen ? traces.opened.map { TracesPage.name(of: $0) } : nil }
    if let stories { return stories.chosen == nil ? nil : stories.stories.first?.title }
    return gallery?.opened?.name
  }

  /// Whether pages are shown within this one.
  var hasFrames: Bool { gallery != nil || !previews.isEmpty }

  /// Every form with fields, wherever it is on the page.
  var allForms: [WorkbenchForm] {
    let ofUsers: [WorkbenchForm] =
      switch users {
      case .one(let page): [page.editing]
      case .new(let form): [form]
      case .table, nil: []
      }
    return forms + groups.flatMap(\.forms) + ofUsers + [stories?.own].compactMap(\.self)
  }

  struct Fact {
    var name: String
    var value: String
  }

  struct Preview {
    var title: String
    var address: String
  }

  struct List {
    var heading: String?
    /// The id of the heading; nil if nothing leads there.
    var id: String?
    var items: [Item]
    /// The form that deletes all of them.
    var clearing: WorkbenchQuestion?
  }

  /// An item of a list; most of its members are for certain tools only.
  struct Item {
    /// The purpose of a message, and how it was sent.
    var purpose: String?
    var channel: String?
    /// The step of a flow that it stands for.
    var step: String?
    var isCurrent = false
    var heading: String
    /// The address that the heading links to.
    var address: String?
    var about: About?
    var code: String?
    var link: String?
    var details: Details?
    var forms: [WorkbenchForm] = []
    var questions: [WorkbenchQuestion] = []

    /// A line of text that may contain a time.
    struct About {
      var words: String
      var moment: ProseView?
      var rest: String?
    }

    struct Details {
      var summary: String
      var text: String
      /// Whether its lines may be rewrapped.
      var isProse = false
    }
  }
}
