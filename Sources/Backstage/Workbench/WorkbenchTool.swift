/// The tools of the workbench, each a page of its own; the atlas is served beside them.
enum WorkbenchTool: String, CaseIterable {
  case inbox, users, clock, faults, traces, settings, map

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

  /// Whether it has forms.
  var changes: Bool {
    switch self {
    case .users, .clock, .faults, .traces, .settings: true
    case .inbox, .map: false
    }
  }
}
