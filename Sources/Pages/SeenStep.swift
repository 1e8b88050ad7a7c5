/// The outcome of a page request, by which a story advances.
public struct SeenStep: Sendable {
  /// How a browser came to a page.
  public enum Way: Hashable, Sendable {
    case opened(path: String, hasQuery: Bool)
    case posted
  }

  public var way: Way
  /// The page that is shown; nil where the answer leads elsewhere.
  public var page: String?
  public var step: String?
  public var status: Int
  /// The codes of the errors in the banner.
  public var errors: [String]
  /// The codes of the errors at fields.
  public var fieldErrors: [String: [String]]
  public var notices: [String]

  public init(
    _ way: Way,
    page: String?,
    step: String? = nil,
    status: Int = 200,
    errors: [String] = [],
    fieldErrors: [String: [String]] = [:],
    notices: [String] = []
  ) {
    self.way = way
    self.page = page
    self.step = step
    self.status = status
    self.errors = errors
    self.fieldErrors = fieldErrors
    self.notices = notices
  }
}
