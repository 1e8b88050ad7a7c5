internal import HTTPExchange

/// What the emulated instance calls the application that it signs people in to, and what the pages
/// look like that it shows them itself.
public struct EmulatedApplication: Hashable, Sendable {
  public let name: String
  public let supportAddress: String
  /// What stands for the name on the provider's pages; nil for the name itself.
  let logo: Logo?
  let providerStyle: ProviderStyle

  /// - Parameters:
  ///   - name: In messages, documents and authenticator apps.
  ///   - supportAddress: Where people are sent that need help.
  ///   - logo: What stands for the name on provider's pages; nil for the name itself.
  ///   - light: The colours of provider's pages; nil for colours of their own.
  ///   - dark: The same for devices that are set to dark.
  public init(
    name: String = "Vestibule",
    supportAddress: String = "help@example.com",
    logo: Logo? = nil,
    light: Colors? = nil,
    dark: Colors? = nil
  ) {
    self.name = name
    self.supportAddress = supportAddress
    self.logo = logo
    providerStyle = ProviderStyle(light: light ?? .light, dark: dark ?? .dark)
  }

  /// A picture that needs no other file: `data:image/svg+xml;base64,…`.
  public struct Logo: Hashable, Sendable {
    private let light: String
    private let dark: String?

    /// - Parameters:
    ///   - light: On light ground.
    ///   - dark: On dark ground; nil for the same.
    public init(light: String, dark: String?) {
      self.light = light
      self.dark = dark
    }

    /// - Parameter name: What it shows, escaped.
    /// - Returns: HTML.
    func markup(called name: String) -> String {
      let dark = dark.map {
        "<source srcset=\"\(HTMLText.escaped($0))\" media=\"(prefers-color-scheme: dark)\">"
      }
      let image = "<img src=\"\(HTMLText.escaped(light))\" alt=\"\(name)\">"
      return "<picture>\(dark ?? "")\(image)</picture>"
    }
  }

  /// The colours of a page, as CSS writes them.
  public struct Colors: Hashable, Sendable {
    public var page: String
    public var card: String
    public var text: String
    public var control: String
    public var accent: String
    public var textOnAccent: String
    /// Of errors, and of the ring around what has the focus.
    public var error: String
    public var focus: String

    public init(
      page: String,
      card: String,
      text: String,
      control: String,
      accent: String,
      textOnAccent: String,
      error: String,
      focus: String
    ) {
      self.page = page
      self.card = card
      self.text = text
      self.control = control
      self.accent = accent
      self.textOnAccent = textOnAccent
      self.error = error
      self.focus = focus
    }

    /// Unlike those of the pages, so that nobody mistakes one for the other.
    static let light = Colors(
      page: "#eceaf2",
      card: "#ffffff",
      text: "#1f1b2d",
      control: "#7d7890",
      accent: "#5b3fa6",
      textOnAccent: "#ffffff",
      error: "#b3261e",
      focus: "#5b3fa6"
    )
    static let dark = Colors(
      page: "#131019",
      card: "#1e1a29",
      text: "#eeebf6",
      control: "#8a8499",
      accent: "#c3b1f5",
      textOnAccent: "#1d1236",
      error: "#ff9d93",
      focus: "#c3b1f5"
    )
  }
}
