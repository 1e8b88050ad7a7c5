public import AuthFlow
public import Foundation

/// Everything that frames a page but does not belong to it.
public struct PageFrame: Sendable {
  /// That the auth API is an emulated one, which every page says (S24).
  public struct Emulation: Hashable, Sendable {
    /// Whose API is emulated, such as `Clerk`.
    public var api: String
    public var world: String
    /// Where the messages can be read that would have been sent; nil where they cannot.
    public var inboxPath: String?

    public init(api: String, world: String, inboxPath: String? = nil) {
      self.api = api
      self.world = world
      self.inboxPath = inboxPath
    }
  }

  public var applicationName: String
  public var emulation: Emulation?
  /// An e-mail address or a web address.
  public var supportAddress: String?
  public var error: AuthError?
  public var refusal: Refusal?
  public var notices: [Notice]
  /// Whether nothing has happened in the visit and nothing is asked of this page but to open, so
  /// that it is the same for everyone but for what is stamped into it.
  public var isUntouched: Bool
  let visitor: Visitor

  public init(
    applicationName: String = "Vestibule",
    emulation: Emulation? = nil,
    supportAddress: String? = nil,
    error: AuthError? = nil,
    refusal: Refusal? = nil,
    notices: [Notice] = [],
    isUntouched: Bool = false,
    reference: String,
    now: Date,
    timeZone: TimeZone? = nil,
    formToken: @escaping @Sendable (_ action: Address) -> String
  ) {
    self.applicationName = applicationName
    self.emulation = emulation
    self.supportAddress = supportAddress
    self.error = error
    self.refusal = refusal
    self.notices = notices
    self.isUntouched = isUntouched
    visitor = Visitor(reference: reference, now: now, timeZone: timeZone, formToken: formToken)
  }
}

extension PageFrame {
  /// Whether there is anything to tell of the step before.
  var hasNews: Bool { error != nil || refusal != nil || !notices.isEmpty }

  /// What support asks for where the auth API gave no name of its own.
  public var reference: String { visitor.told.reference }
  public var now: Date { visitor.told.now }
  /// The reader's time zone; nil where no script has told it: then UTC, and the page says so.
  public var timeZone: TimeZone? { visitor.told.timeZone }
}
