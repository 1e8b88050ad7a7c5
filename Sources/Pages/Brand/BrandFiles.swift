extension Look {
  /// The brand's style sheet in UTF-8, with only what differs from `vestibule.css`.
  public var styleSheetBytes: [UInt8] { Array(rules.joined(separator: "\n").utf8) }

  /// An icon made from the first letter of the name, in UTF-8; nil if the brand has an icon of its
  /// own, or no name.
  public var monogramBytes: [UInt8]? {
    guard brand.files[.icon] == nil,
      let initial = brand.name?.first(where: { $0.isLetter || $0.isNumber })
    else { return nil }
    var letter: [UInt8] = []
    // Some letters form one `Character` with a `<` or `&` after them (UAX #29, Prepend).
    letter.append(escapedForHTML: initial.uppercased())
    return Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">\
      <rect width="32" height="32" rx="7" fill="\(light.accent)"/>\
      <text x="16" y="23" text-anchor="middle" font-family="system-ui, sans-serif" font-size="20" \
      font-weight="700" fill="\(light.onAccent)">\(String(decoding: letter, as: UTF8.self))</text></svg>

      """.utf8
    )
  }

  private var rules: [String] {
    var rules: [String] = []
    if let font = url(of: .font) {
      // Optional, so that nothing moves after the first paint; the page preloads it.
      rules.append(
        "@font-face { font-family: Brand; src: \(font) format(\"woff2\"); font-display: optional; }"
      )
    }
    let hasColors = !brand.light.isEmpty || !brand.dark.isEmpty
    var properties = hasColors ? light.declarations : []
    if let radius = brand.radius {
      properties.append("--radius: \(radius)px;")
      properties.append("--card-radius: \(radius == 0 ? 0 : radius + 6)px;")
    }
    if brand.files[.font] != nil { properties.append("--font: Brand, var(--system-font);") }
    if !properties.isEmpty { rules.append(":root { \(properties.joined(separator: " ")) }") }
    if hasColors {
      let colors = dark.declarations.joined(separator: " ")
      rules.append("@media (prefers-color-scheme: dark) {\n:root { \(colors) }\n}")
    }
    return rules + pictures + [Self.contrast]
  }

  /// The icon beside the name, and the background picture.
  private var pictures: [String] {
    var rules: [String] = []
    if brand.files[.logo] != nil {
      rules.append(".application a::before { display: none; }")
    } else if let icon = url(of: .icon) {
      rules.append(".application a::before { background-image: \(icon); }")
    }
    if let background = url(of: .background) {
      // Text outside the card gets a background, since the picture's colours are unknown, and what
      // shows the focus stays on it.
      rules.append(
        """
        @media screen and (prefers-contrast: no-preference) {
        body { background: var(--page) \(background) center / cover no-repeat fixed; }
        .application a { padding-inline: 1rem; border-radius: var(--radius); background: var(--card); }
        .application a:focus-visible { outline-offset: -3px; }
        .footer { padding: 0.5rem 1rem; border-radius: var(--radius); background: var(--card); }
        }
        """
      )
    }
    return rules
  }

  /// Readers who prefer more contrast get it, whatever colours the brand has.
  private static let contrast = """
    @media (prefers-contrast: more) {
    :root { --quiet: var(--text); --line: var(--text); --control: var(--text); }
    }

    """

  /// The URL of a file relative to the style sheet, which is beside the folder of the files.
  private func url(of asset: Brand.Asset) -> String? {
    guard let address = address(of: asset)?.href, let folder = place.path.lastIndex(of: "/") else {
      return nil
    }
    return "url(\"\(address[address.index(after: folder)...])\")"
  }
}

extension Palette {
  fileprivate var declarations: [String] { properties.map { "--\($0.name): \($0.color);" } }
}
