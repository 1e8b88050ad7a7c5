public import AuthFlow

/// A page as a value: what it asks for, shows and offers.
///
/// The same value renders as HTML and as its JSON twin.
public protocol Page: Sendable, Equatable {
  /// The page's address; nil for a page that any address may answer with.
  var address: Address? { get }
  /// Which step of the flow the page is.
  var step: String { get }
  /// Nil for a page that belongs to no flow.
  var flow: FlowName? { get }
  /// The fields that a person sees here: errors of other fields go to the banner (E2).
  var fields: [Field] { get }
  /// The code that the page asks for; nil if it asks for none, or for one that the workbench could
  /// not look up.
  var soughtCode: SoughtCode? { get }
  /// Whether an error may be the subject of the page, as its content then says, rather than a
  /// message on it.
  var mayBeAboutErrors: Bool { get }
  /// The text that was typed before and is shown in its field again.
  var typedText: TypedText? { get set }
  /// What the page shows for that frame.
  func content(in frame: PageFrame) -> PageContent
}

extension Page {
  /// Named after the path, slashes as dashes; a template of its own has this name too.
  public var name: String { address?.pageName ?? ErrorPage.templateName }
  public var soughtCode: SoughtCode? { nil }
  public var mayBeAboutErrors: Bool { false }
  public var typedText: TypedText? {
    get { nil }
    set {}
  }
}

extension Page {
  func equals(_ other: any Page) -> Bool { (other as? Self) == self }

  /// An equal page without the typed text.
  func forgetting() -> any Page {
    var page = self
    page.typedText?.forget()
    return page
  }
}

/// The flow that a page belongs to.
///
/// The raw values are those of `data-flow` and of the twin's `flow`.
public enum FlowName: String, Sendable, Codable, CaseIterable {
  case signIn = "sign-in"
  case signUp = "sign-up"
  case passwordReset = "password-reset"
  case task
  case session
}
