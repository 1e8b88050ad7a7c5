extension PageFrame.Emulation {
  /// The progress of the story that this world tells.
  public struct ToldStory: Hashable, Sendable {
    /// How the next step is taken.
    public enum Next: Hashable, Sendable {
      /// By a form of that page; nil is the main one.
      case form(String?, onPage: String?)
      /// By the workbench: a page is opened, a clock moved, another browser sends a form.
      case call
      /// There is none.
      case end
    }

    public var title: String
    /// The name of the browser that takes the next step; nil if it is the one that shows the page.
    public var browser: String?
    /// What happens in the next step; nil at the end.
    public var sentence: String?
    /// How many steps are done.
    public var done: Int
    /// How many there are.
    public var count: Int
    public var next: Next
    /// The anti-forgery token of the workbench's forms.
    public var token: String
    /// Whether what was done for the next step led to something else than is told.
    public var isAstray: Bool

    public init(
      title: String,
      browser: String? = nil,
      sentence: String?,
      done: Int,
      count: Int,
      next: Next,
      token: String,
      isAstray: Bool = false
    ) {
      self.title = title
      self.browser = browser
      self.sentence = sentence
      self.done = done
      self.count = count
      self.next = next
      self.token = token
      self.isAstray = isAstray
    }
  }
}
