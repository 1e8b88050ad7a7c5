import AuthFlow

/// How pages look and whom they speak for: built in, or as a brand has it.
///
/// A reference, since every page carries it.
public final class Look: Sendable {
  /// Where what belongs to a brand is to be had.
  public struct Place: Sendable {
    /// The path of the style sheet without its ending; the files of the brand are below it.
    var path: String
    /// What every address has behind it, with its question mark.
    var query: String

    public init(path: String, query: String = "") {
      self.path = path
      self.query = query
    }

    /// Among the static files.
    public static let publicFiles = Place(path: "/public/brand")

    var styleSheet: String { "\(path).css\(query)" }

    func address(of asset: Brand.Asset, _ kind: AssetFile.Kind) -> String {
      "\(path)/\(asset.rawValue).\(kind.rawValue)\(query)"
    }
  }

  public static let builtIn = Look(Brand(), at: .publicFiles)

  public let brand: Brand
  let place: Place
  public let light: Palette
  public let dark: Palette
  /// Whether the brand says nothing.
  let isBuiltIn: Bool
  /// Another number for each reading of files that are read again.
  public let revision: Int

  public init(_ brand: Brand, at place: Place = .publicFiles, revision: Int = 0) {
    self.brand = brand
    self.place = place
    self.revision = revision
    light = brand.palette(.light)
    dark = brand.palette(.dark)
    isBuiltIn = brand == Brand()
  }

  /// What its own style sheet says; nil where it has none.
  public var styleSheet: String? { isBuiltIn ? nil : place.styleSheet }

  /// Where such a file is, and what it is; nil where there is none.
  public func address(of asset: Brand.Asset) -> (href: String, kind: AssetFile.Kind)? {
    if let file = brand.files[asset] { return (place.address(of: asset, file.kind), file.kind) }
    guard asset == .icon, brand.name != nil else { return nil }
    return (place.address(of: .icon, .svg), .svg)
  }

  /// Which colour its pages have there, named by the brand or made of those that are.
  public func color(_ role: Brand.Role, in scheme: Brand.Scheme) -> Color {
    let palette =
      switch scheme {
      case .light: light
      case .dark: dark
      }
    return switch role {
    case .accent: palette.accent
    case .accentText: palette.onAccent
    case .page: palette.page
    case .card: palette.card
    case .text: palette.text
    }
  }

  /// What people know the application by.
  public func applicationName(orElse name: String) -> String { brand.name ?? name }

  /// `harbour-backup-codes.txt`: what a text is called that people keep, of letters that every system takes.
  public func fileName(of text: String) -> String {
    "\(((brand.name ?? "").asciiWords + [text]).joined(separator: "-")).txt"
  }

  /// Terms and privacy policy, as links of the foot.
  var documents: [Link] { Words.links(to: brand.documents) }
}

extension PageFrame {
  /// Goes on in the name of a brand.
  mutating func wear(_ look: Look) {
    self.look = look
    applicationName = look.applicationName(orElse: applicationName)
    supportAddress = look.brand.support ?? supportAddress
  }

  /// What is accepted at sign-up: the brand's own documents, where it has any.
  func documents(orElse documents: [LegalDocument]) -> [LegalDocument] {
    look.brand.documents.isEmpty ? documents : look.brand.documents
  }
}
