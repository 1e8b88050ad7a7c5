public import AuthFlow
public import Foundation
public import Localization

/// Everything that frames a page but does not belong to it.
public struct PageFrame: Sendable {
  /// That the auth API is an emulated one, which every page says (S24), and what its workbench has
  /// for whoever demonstrates the page.
  public struct Emulation: Hashable, Sendable {
    /// What has come of late.
    public struct News: Hashable, Sendable {
      /// How many messages there are.
      public var messageCount: Int
      /// What the page asks for, where that can be looked up.
      public var code: KnownCode?

      /// How many faults wait for a call, so that nobody takes one for an outage.
      public var faultCount: Int

      /// Whether this browser's walk is recorded, with what is typed.
      public var isRecorded: Bool

      public init(
        messageCount: Int = 0,
        code: KnownCode? = nil,
        faultCount: Int = 0,
        isRecorded: Bool = false
      ) {
        self.messageCount = messageCount
        self.faultCount = faultCount
        self.isRecorded = isRecorded
        self.code = code
      }
    }

    /// A code that the page at hand takes, and where somebody would look it up.
    public struct KnownCode: Hashable, Sendable {
      public var digits: String
      public var path: String
      /// When a page that is still open stops offering it; nil where that is not known, or never.
      public var worksUntil: Date?

      public init(digits: String, path: String, worksUntil: Date? = nil) {
        self.digits = digits
        self.path = path
        self.worksUntil = worksUntil
      }
    }

    /// Whose API is emulated, such as `Clerk`.
    public var api: String
    public var world: String
    /// Where the messages can be read that would have been sent; nil where they cannot.
    public var inboxPath: String?
    public var news: News
    /// Whether it is said in large letters, for a projector.
    public var isEnlarged: Bool
    /// The story that the world tells; nil where it tells none.
    public var story: ToldStory?

    public init(
      api: String,
      world: String,
      inboxPath: String? = nil,
      news: News = News(),
      isEnlarged: Bool = false
    ) {
      self.api = api
      self.world = world
      self.inboxPath = inboxPath
      self.news = news
      self.isEnlarged = isEnlarged
    }
  }

  public var applicationName: String
  public var emulation: Emulation?
  /// An email address or a web address.
  public var supportAddress: String?
  /// Which language the page is in.
  public var language: LanguageTag
  /// Which others there are; nil where nothing can be chosen.
  public var languageMenu: LanguageMenu?
  public var error: AuthError?
  public var refusal: SiteRefusal?
  /// Whether what was refused came without a cookie by which its form could be known.
  public var lacksCookie: Bool
  public var notices: [Notice]
  /// Whether nothing has happened in the visit and nothing is asked of this page but to open, so
  /// that it is the same for everyone but for what is stamped into it.
  public var isUntouched: Bool
  /// Whether it answers to a password, which does not come back and has to be typed anew (F5).
  public var losesPassword: Bool
  /// Whether it is only shown, at an address that is not its page's: whoever loads it again means
  /// the same.
  var isOnShow = false
  let visitor: Visitor
  /// Whose brand it carries: the renderer's.
  var look = Look.builtIn

  public init(
    applicationName: String = "Vestibule",
    emulation: Emulation? = nil,
    supportAddress: String? = nil,
    language: LanguageTag = .english,
    languageMenu: LanguageMenu? = nil,
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    lacksCookie: Bool = false,
    notices: [Notice] = [],
    isUntouched: Bool = false,
    losesPassword: Bool = false,
    reference: String,
    now: Date,
    timeZone: TimeZone? = nil,
    formToken: @escaping @Sendable (_ action: Address) -> String
  ) {
    self.applicationName = applicationName
    self.emulation = emulation
    self.supportAddress = supportAddress
    self.language = language
    self.languageMenu = languageMenu
    self.error = error
    self.refusal = refusal
    self.lacksCookie = lacksCookie
    self.notices = notices
    self.isUntouched = isUntouched
    self.losesPassword = losesPassword
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
