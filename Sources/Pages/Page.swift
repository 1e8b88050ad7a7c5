public import AuthFlow

/// One page: what it asks, shows and offers, as a value.
///
/// The same value renders as HTML and as its JSON twin.
public protocol Page: Sendable, Equatable {
  /// Where it is found; nil for a page that any address may answer with.
  var address: Address? { get }
  /// Which step of the flow the page is.
  var step: String { get }
  /// Nil for a page that belongs to no flow.
  var flow: FlowName? { get }
  /// The fields that a person sees here: errors of other fields go to the banner (E2).
  var fields: [Field] { get }
  /// The code that the page asks for; nil where it asks for none that somebody else could look up.
  var soughtCode: SoughtCode? { get }
  /// Whether it may be about an error, as its content then says, rather than tell of one.
  var mayBeAboutErrors: Bool { get }
  /// What was typed before and stands in its field again.
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

  /// The same without what was typed, which it equals.
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
