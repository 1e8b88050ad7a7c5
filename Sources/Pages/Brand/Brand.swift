import AuthFlow

/// The name and look of an installation; whatever it leaves out is built in.
public struct Brand: Hashable, Sendable {
  /// A file that it comes with.
  public enum Asset: String, CaseIterable, Sendable {
    case logo
    /// The logo on a dark page; the other one serves there too where there is none.
    case logoDark = "logo_dark"
    case icon, font, background
  }

  /// The two sets of colours that a reader's device chooses from.
  public enum Scheme: String, CaseIterable, Sendable {
    case light = "colors"
    case dark = "colors_dark"
  }

  /// What a colour is for.
  public enum Role: String, CaseIterable, Sendable {
    case accent
    case accentText = "accent_text"
    case page, card, text
  }

  public var name: String?
  public var files: [Asset: AssetFile] = [:]
  public var light: [Role: Color] = [:]
  public var dark: [Role: Color] = [:]
  /// The corner radius of fields and buttons, in pixels.
  public var radius: Int?
  /// An email address or a web address.
  public var support: String?
  public var terms: String?
  public var privacyPolicy: String?

  public init() {}

  /// The allowed corner radii, in pixels: at most half the height of a button.
  static let radiusRange = 0...24

  subscript(scheme: Scheme) -> [Role: Color] {
    get {
      switch scheme {
      case .light: light
      case .dark: dark
      }
    }
    set {
      switch scheme {
      case .light: light = newValue
      case .dark: dark = newValue
      }
    }
  }

  /// What people accept when they sign up, in the order to name it.
  var documents: [LegalDocument] {
    [
      terms.map { LegalDocument(.terms, address: $0) },
      privacyPolicy.map { LegalDocument(.privacyPolicy, address: $0) },
    ].compactMap(\.self)
  }
}

/// A file of a brand, as a path below one of the folders in which it is looked for.
public struct AssetFile: Hashable, Sendable {
  /// What kind a file is of, by how its name ends.
  public enum Kind: String, CaseIterable, Sendable {
    case svg, png, webp, jpg, jpeg, ico, woff2

    public var contentType: String {
      switch self {
      case .svg: "image/svg+xml"
      case .png: "image/png"
      case .webp: "image/webp"
      case .jpg, .jpeg: "image/jpeg"
      case .ico: "image/x-icon"
      case .woff2: "font/woff2"
      }
    }
  }

  public let path: String
  public let kind: Kind

  /// Nil for a path that leads out of its folder, has a hidden or empty component or a backslash or
  /// control character, or has an extension that the asset cannot have.
  init?(_ path: String, as asset: Brand.Asset) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.first != "." && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x5C }
    }
    guard isPlain, let kind = asset.kind(ofFileCalled: path) else { return nil }
    self.path = path
    self.kind = kind
  }
}

extension Brand.Asset {
  /// What it can be.
  var kinds: [AssetFile.Kind] {
    switch self {
    case .logo, .logoDark, .background: [.svg, .png, .webp, .jpg, .jpeg]
    case .icon: [.svg, .png, .ico]
    case .font: [.woff2]
    }
  }

  /// The kind of a file by its name; nil if the asset cannot be of that kind.
  func kind(ofFileCalled name: String) -> AssetFile.Kind? {
    name.split(separator: ".").last
      .flatMap { AssetFile.Kind(rawValue: $0.lowercased()) }
      .flatMap { kinds.contains($0) ? $0 : nil }
  }
}
