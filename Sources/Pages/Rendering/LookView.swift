import AuthFlow

/// The view of a look in the layout.
struct LookView: TemplateView {
  enum Name: String, CaseIterable {
    case themeColor, darkThemeColor, description, icon, touchIcon, font, styleSheet, logo, documents
  }

  let look: Look
  let applicationName: String
  private let wording: Wording

  init(look: Look, of presentation: Presentation) {
    self.look = look
    applicationName = presentation.frame.applicationName
    wording = presentation.wording
  }

  /// Renderers share the compiled templates, but not a brand.
  var fragment: String? { look.isBuiltIn ? applicationName : nil }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .themeColor: .text { $0.look.light.page.description }
    case .darkThemeColor: .text { $0.look.dark.page.description }
    case .description:
      .text { view in
        view.wording.text(
          .common(.pageDescription, ["application": .text(view.applicationName)])
        )
      }
    case .icon: .view { $0.look.address(of: .icon).map(FileView.init) }
    case .touchIcon: .text { $0.touchIcon }
    case .font: .text { $0.look.address(of: .font)?.href }
    case .styleSheet: .text { $0.look.styleSheet }
    case .logo:
      .view { view in
        view.look.address(of: .logo).map { logo in
          LogoView(
            address: logo.href,
            darkAddress: view.look.address(of: .logoDark)?.href,
            name: view.applicationName
          )
        }
      }
    case .documents:
      .each { view in view.look.documents.map { LinkView($0, in: view.wording) } }
    }
  }

  /// The icon for phones, which do not accept SVG: a brand whose icon is one has none for them.
  private var touchIcon: String? {
    guard let icon = look.address(of: .icon) else { return "/public/apple-touch-icon.png" }
    return icon.kind == .png ? icon.href : nil
  }

  struct FileView: TemplateView {
    enum Name: String, CaseIterable { case address, type }

    let address: String
    let kind: AssetFile.Kind

    init(_ file: (href: String, kind: AssetFile.Kind)) {
      address = file.href
      kind = file.kind
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .address: .text { $0.address }
      case .type: .text { $0.kind.contentType }
      }
    }
  }

  /// A picture in the place of the application's name.
  struct LogoView: TemplateView {
    enum Name: String, CaseIterable { case address, darkAddress, logoName = "name" }

    let address: String
    let darkAddress: String?
    let name: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .address: .text { $0.address }
      case .darkAddress: .text { $0.darkAddress }
      case .logoName: .text { $0.name }
      }
    }
  }
}
