/// The tools of the workbench, each a page of its own.
enum WorkbenchTool: String, CaseIterable {
  case inbox, users, faults, errors, traces, settings, brand, atlas, map, stories
  case recordings
  /// Those of the bar above the pages.
  case clock, world

  /// The tools listed beside the pages, in order.
  static let rail = allCases.filter { ![.clock, .world].contains($0) }

  /// The tool at that path; `/backstage` itself is the inbox.
  init?(path: Substring) {
    if path == "/backstage" {
      self = .inbox
      return
    }
    let prefix = "/backstage/"
    guard path.hasPrefix(prefix),
      let tool = WorkbenchTool(rawValue: String(path.dropFirst(prefix.count)))
    else { return nil }
    self = tool
  }

  var path: String { "/backstage/\(rawValue)" }

  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// What it is for, in one sentence.
  var purpose: String {
    switch self {
    case .inbox: "Emails and texts that would have been sent, and what authenticator apps show."
    case .users: "The accounts of this world, and what happens when they sign in."
    case .faults: "Make calls to the emulated API fail as they might elsewhere."
    case .errors: "The errors that the API is known to give, and how the pages show them."
    case .traces: "What each page asked of the API."
    case .settings: "How the emulated instance is set up."
    case .brand:
      "What the pages are called and look like. "
        + "It is served from the next start on, or at once with --reload-templates."
    case .atlas: "Every page in every state, to look at without walking there."
    case .map: "The steps of each flow, and what they lead to."
    case .stories: "Walks through the pages, told step by step, each in a world of its own."
    case .recordings: "What this browser does on the pages, exported as a test."
    case .clock: "All times in this world follow its clock."
    case .world: "A world is a universe of its own: accounts, messages, clock."
    }
  }

  /// Whether it has forms.
  var changes: Bool {
    switch self {
    case .inbox, .users, .clock, .faults, .traces, .settings, .brand, .world, .atlas, .errors,
      .stories, .recordings:
      true
    case .map: false
    }
  }
}
