internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// What a request's pages are built from.
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
  /// Whether people come by https.
  let isSecure: Bool
  /// The token of the forms.
  let token: String
  let moments: Moments
  /// The paths of the steps at which the visitor stands.
  let standing: [String]
  /// The site's name for the visitor's visit; nil if none is under way.
  let visitName: String?
  /// Whether a browser can be signed in to an account.
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

  /// The address that a form of the bar returns to: the page that it is on.
  var here: String {
    let path = String(request.path)
    guard request.method == .get else { return path }
    let kept = request.queryParameters.fields.filter { $0.name != NoticeStore.parameter }
    return FormData(kept).address(at: path)
  }

  /// The address of a page of another world, with the choice that `?present` made here, since that
  /// world's host has its own cookies.
  ///
  /// To a world that tells a story, only the choice `large` is passed on: hiding the bar above the
  /// page also hides the story's bar, and with it the button that continues the story.
  func presented(_ address: String, in name: WorldName) -> String {
    guard let choice = PresenceChoice(keptBy: request, isSecure: isSecure),
      choice == .large || !worlds.ofStories().contains(where: { $0.name == name })
    else { return address }
    return address.addingQuery("\(PresenceChoice.parameter)=\(choice.rawValue)")
  }

  /// The address of a world's workbench.
  func workbench(of name: WorldName) -> String {
    let address = "\(addresses.origin(of: name))/backstage"
    return name == world.name ? address : presented(address, in: name)
  }

  /// The address that a form returns to, if it is a page of backstage; otherwise nil.
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
  /// What would be lost.
  var words: String
  var form: WorkbenchForm
}
