internal import Emulators
internal import Headless
internal import Pages

/// What a tool shows and offers.
struct WorkbenchContent {
  /// Why it is not what it is to be.
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
  /// What can be told, on its own page.
  var stories: StoriesPage?
  var lead: [String] = []
  var facts: [Fact] = []
  var lists: [List] = []
  var groups: [WorkbenchGroup] = []
  var forms: [WorkbenchForm] = []
  /// What destroys something, each asked first.
  var questions: [WorkbenchQuestion] = []
  /// Pages that are shown within this one.
  var previews: [Preview] = []

  /// What is open of several things, as its heading names it; nil where nothing is (R5).
  var openedName: String? {
    if let inbox { return inbox.isChosen ? inbox.opened?.heading : nil }
    if let users { return users.openedName }
    if let stories { return stories.chosen == nil ? nil : stories.stories.first?.title }
    return gallery?.opened?.name
  }

  /// Whether pages are shown within this one.
  var hasFrames: Bool { gallery != nil || !previews.isEmpty }

  /// Every form with fields, wherever it stands.
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
    var items: [Item]
    /// Deletes all of them.
    var clearing: WorkbenchQuestion?
  }

  /// One thing of a list; most of it is there for some tools alone.
  struct Item {
    /// What a message is for, and how it went.
    var purpose: String?
    var channel: String?
    /// The step of a flow that it stands for.
    var step: String?
    var isCurrent = false
    var heading: String
    /// Where the heading leads.
    var address: String?
    var about: About?
    var code: String?
    var link: String?
    var details: Details?
    var forms: [WorkbenchForm] = []
    var questions: [WorkbenchQuestion] = []

    /// A line of words, in which a moment may stand.
    struct About {
      var words: String
      var moment: ProseView?
      var rest: String?
    }

    struct Details {
      var summary: String
      var text: String
      /// Whether its lines may be broken anew.
      var isProse = false
    }
  }
}
