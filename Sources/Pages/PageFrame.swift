public import AuthFlow
public import Foundation
public import Localization

/// Everything that frames a page but does not belong to it.
public struct PageFrame: Sendable {
  /// What every page says about the emulated auth API (S24), and what its workbench offers to the
  /// presenter.
  public struct Emulation: Hashable, Sendable {
    /// Recent events in the world.
    public struct News: Hashable, Sendable {
      /// How many messages there are.
      public var messageCount: Int
      /// The code that the page asks for, if it can be looked up.
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

    /// A code that the current page accepts, and where it can be looked up.
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
    /// The path of the inbox with the messages that would have been sent; nil if there is none.
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
  /// The languages to choose from; nil if there is no choice.
  public var languageMenu: LanguageMenu?
  public var error: AuthError?
  public var refusal: SiteRefusal?
  /// Whether the refused form came without the cookie that its token is checked against.
  public var lacksCookie: Bool
  public var notices: [Notice]
  /// Whether the visit is new and the page was only opened, so that it is the same for everyone
  /// except for its stamps.
  public var isUntouched: Bool
  /// Whether the page answers a form with a password, which is not shown again and has to be
  /// retyped (F5).
  public var losesPassword: Bool
  /// Whether the page is shown at an address other than its own, as in the atlas, so that reloading
  /// it repeats that request.
  var isOnShow = false
  let visitor: Visitor
  /// The brand of the page, set by the renderer.
  var look = Look.builtIn
  /// Whether the language of the page has a message, set by the renderer: not all have those that
  /// only custom files can have.
  var hasWords: @Sendable (PhraseKey) -> Bool = { _ in false }

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

  /// The reference that support asks for if the auth API's answer has no name of its own.
  public var reference: String { visitor.told.reference }
  public var now: Date { visitor.told.now }
  /// The reader's time zone; nil, until a script has reported it, means UTC, and the page says so.
  public var timeZone: TimeZone? { visitor.told.timeZone }
}
