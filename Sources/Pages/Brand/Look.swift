import AuthFlow

/// The appearance of pages and the organisation they speak for: built in, or from a brand.
///
/// A reference, since every page carries it.
public final class Look: Sendable {
  /// Where the files of a brand are served.
  public struct Place: Sendable {
    /// The path of the style sheet without its extension; the brand's files are below it.
    var path: String
    /// The query of every address, with its question mark.
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
  /// A number that changes each time the files are reloaded.
  public let revision: Int

  public init(_ brand: Brand, at place: Place = .publicFiles, revision: Int = 0) {
    self.brand = brand
    self.place = place
    self.revision = revision
    light = brand.palette(.light)
    dark = brand.palette(.dark)
    isBuiltIn = brand == Brand()
  }

  /// The address of the brand's style sheet; nil for the built-in look.
  public var styleSheet: String? { isBuiltIn ? nil : place.styleSheet }

  /// The address and kind of a file; nil if the brand has none.
  public func address(of asset: Brand.Asset) -> (href: String, kind: AssetFile.Kind)? {
    if let file = brand.files[asset] { return (place.address(of: asset, file.kind), file.kind) }
    guard asset == .icon, brand.name != nil else { return nil }
    return (place.address(of: .icon, .svg), .svg)
  }

  /// The colour of a role in a scheme, named by the brand or derived.
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

  /// `harbour-backup-codes.txt`: the name of a text file to save, in characters that every system
  /// accepts.
  public func fileName(of text: String) -> String {
    "\(((brand.name ?? "").asciiWords + [text]).joined(separator: "-")).txt"
  }

  /// Terms and privacy policy, as links of the foot.
  var documents: [Link] { Words.links(to: brand.documents) }
}

extension PageFrame {
  /// Applies a brand to the frame.
  mutating func wear(_ look: Look) {
    self.look = look
    applicationName = look.applicationName(orElse: applicationName)
    supportAddress = look.brand.support ?? supportAddress
  }

  /// The documents to accept at sign-up: the brand's own, if it has any.
  func documents(orElse documents: [LegalDocument]) -> [LegalDocument] {
    look.brand.documents.isEmpty ? documents : look.brand.documents
  }
}
