internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// What the pages of one request are made from.
struct WorkbenchContext: Sendable {
  /// A form that was not carried out.
  struct Refused: Sendable {
    var form: FormData
    var refusal: BackstageRefusal
  }

  let world: World
  let worlds: Worlds
  let request: Request
  let addresses: WorldAddresses
  /// Of the forms.
  let token: String
  let moments: Moments
  /// The paths of the steps at which the visitor stands.
  let standing: [String]
  /// What the site calls the visitor's visit; nil where nothing is under way.
  let visitName: String?
  /// Whether a browser can be signed in as somebody.
  let canEnter: Bool
  var refused: Refused?

  /// A form, with what was typed into it if it was refused.
  func form(
    _ name: String,
    on tool: WorkbenchTool,
    action: String? = nil,
    hidden: [String: String] = [:],
    lines: [FormField] = [],
    button: String,
    weight: Form.Weight? = nil,
    describedBy: String? = nil
  ) -> WorkbenchForm {
    var form = WorkbenchForm(
      name: name,
      tool: tool,
      token: token,
      action: action ?? name,
      hidden: hidden,
      lines: lines,
      button: button,
      weight: weight,
      describedBy: describedBy
    )
    if let refused, form.isSource(of: refused.form) {
      form.refill(with: refused.form, refused.refusal)
    }
    return form
  }

  /// A form that asks before it destroys something.
  func question(
    _ name: String,
    on tool: WorkbenchTool,
    action: String? = nil,
    hidden: [String: String] = [:],
    opening: String,
    words: String,
    button: String
  ) -> WorkbenchQuestion {
    WorkbenchQuestion(
      opening: opening,
      words: words,
      form: form(name, on: tool, action: action, hidden: hidden, button: button, weight: .primary)
    )
  }

  /// Where a form of the bar comes back to: the page on which it stands.
  var here: String {
    let path = String(request.path)
    guard request.method == .get else { return path }
    let kept = request.queryParameters.fields.filter { $0.name != NoticeStore.parameter }
    return FormData(kept).address(at: path)
  }

  /// The address of a page of another world, whose host has cookies of its own: with what `?present` chose here.
  ///
  /// To a world that tells a story it goes along only where it is large: the bar of the story is seen and hidden with
  /// the one above the page, and without it the story has no button that leads on.
  func presented(_ address: String, in name: WorldName) -> String {
    guard let choice = PresenceChoice(keptBy: request),
      choice == .large || !worlds.ofStories().contains(where: { $0.name == name })
    else { return address }
    return address.addingQuery("\(PresenceChoice.parameter)=\(choice.rawValue)")
  }

  /// Where the workbench of a world is.
  func workbench(of name: WorldName) -> String {
    let address = "\(addresses.origin(of: name))/backstage"
    return name == world.name ? address : presented(address, in: name)
  }

  /// Where a form leads back to that came from there: a page of backstage, or nowhere.
  static func way(back path: String?) -> String? {
    guard let path, path == "/backstage" || path.hasPrefix("/backstage/"),
      path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return path
  }
}

/// A form that is shown once its question has been opened.
struct WorkbenchQuestion {
  /// What opens it.
  var opening: String
  /// What would be gone.
  var words: String
  var form: WorkbenchForm
}
