internal import HTTPExchange

/// The application that the emulated instance signs people in to: its name, and the look of the
/// provider's own pages.
public struct EmulatedApplication: Hashable, Sendable {
  public let name: String
  public let supportAddress: String
  /// The documents that are accepted at sign-up; nil for those of the settings.
  let termsURL: String?
  let privacyPolicyURL: String?
  /// The logo in place of the name on the provider's pages; nil shows the name.
  let logo: Logo?
  let providerStyle: ProviderStyle

  /// - Parameters:
  ///   - name: The name in messages, documents and authenticator apps.
  ///   - supportAddress: The address for people who need help.
  ///   - termsURL: The terms that are accepted at sign-up; nil for those of the settings.
  ///   - privacyPolicyURL: The privacy policy; nil for that of the settings.
  ///   - logo: The logo in place of the name on the provider's pages; nil shows the name.
  ///   - light: The colours of the provider's pages; nil for the built-in ones.
  ///   - dark: The same for devices that are set to dark.
  public init(
    name: String = "Vestibule",
    supportAddress: String = "help@example.com",
    termsURL: String? = nil,
    privacyPolicyURL: String? = nil,
    logo: Logo? = nil,
    light: Colors? = nil,
    dark: Colors? = nil
  ) {
    self.name = name
    self.supportAddress = supportAddress
    self.termsURL = termsURL
    self.privacyPolicyURL = privacyPolicyURL
    self.logo = logo
    providerStyle = ProviderStyle(light: light ?? .light, dark: dark ?? .dark)
  }

  /// An image as a data URL: `data:image/svg+xml;base64,…`.
  public struct Logo: Hashable, Sendable {
    private let light: String
    private let dark: String?

    /// - Parameters:
    ///   - light: The image on a light background.
    ///   - dark: The image on a dark background; nil for the same.
    public init(light: String, dark: String?) {
      self.light = light
      self.dark = dark
    }

    /// - Parameter name: The text in place of the image, escaped.
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
    /// The colour of errors; `focus` is that of the ring around the focused element.
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

    /// Different from the site's own pages, so that nobody mistakes one for the other.
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

/// Gives the current application: its brand may be read again while worlds are in use.
public struct ApplicationSource: Sendable {
  let current: @Sendable () -> EmulatedApplication
  let revision: @Sendable () -> Int

  /// - Parameters:
  ///   - revision: A number that changes whenever the application does. It is asked for at every
  ///     page, so it does not make the application.
  ///   - current: Makes the application as it is now.
  public init(
    revision: @escaping @Sendable () -> Int,
    current: @escaping @Sendable () -> EmulatedApplication
  ) {
    self.revision = revision
    self.current = current
  }

  /// An application that never changes.
  public static func fixed(_ application: EmulatedApplication) -> Self {
    Self(revision: { 0 }, current: { application })
  }
}
