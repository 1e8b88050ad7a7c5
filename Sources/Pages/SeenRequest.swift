/// A browser's request and the answer it was shown, for the recorder of its walk.
///
/// The form is as it was posted, passwords and codes among it.
public struct SeenRequest: Sendable {
  /// A name with its value, as it was sent.
  public typealias Pair = (name: String, value: String)

  /// What was shown.
  public var step: SeenStep
  /// Where it went to.
  public var path: String
  /// The query of the request, without its `?`.
  public var query: String?
  public var form: [Pair]
  public var cookies: [Pair]
  /// The name of the visit, and those that it had before, newest first.
  public var visit: [String]
  /// The forms of the page that is shown.
  public var forms: [Form]
  /// The target of the redirect; nil for a page.
  public var location: String?

  public init(
    step: SeenStep,
    path: String,
    query: String? = nil,
    form: [Pair] = [],
    cookies: [Pair] = [],
    visit: [String] = [],
    forms: [Form] = [],
    location: String? = nil
  ) {
    self.step = step
    self.path = path
    self.query = query
    self.form = form
    self.cookies = cookies
    self.visit = visit
    self.forms = forms
    self.location = location
  }
}
