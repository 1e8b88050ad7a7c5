/// Every colour of a page in one scheme: the custom properties of the style sheet.
///
/// The built-in colours are those of `vestibule.css`. A brand names up to five; the others are
/// derived from those, so that they keep the contrast they need.
public struct Palette: Hashable, Sendable {
  public internal(set) var page, card, text, quiet, line, control, field: Color
  public internal(set) var accent, accentStrong, onAccent, link, linkStrong, hover: Color
  public internal(set) var error, errorGround, notice, noticeGround, focus: Color

  /// The contrast ratios required of text and of shapes.
  ///
  /// Source: WCAG 2.2, 1.4.3 and 1.4.11.
  static let textContrast = 4.5
  static let shapeContrast = 3.0

  /// By the names of the custom properties.
  var properties: [(name: String, color: Color)] {
    [
      ("page", page), ("card", card), ("text", text), ("quiet", quiet), ("line", line),
      ("control", control), ("field", field), ("accent", accent),
      ("accent-strong", accentStrong), ("on-accent", onAccent), ("link", link),
      ("link-strong", linkStrong), ("hover", hover), ("error", error),
      ("error-ground", errorGround), ("notice", notice), ("notice-ground", noticeGround),
      ("focus", focus),
    ]
  }
}

extension Palette {
  static let light = Palette(
    page: 0xf3f5f7,
    card: 0xffffff,
    text: 0x182026,
    quiet: 0x51606b,
    line: 0xdfe4e8,
    control: 0x74828d,
    field: 0xffffff,
    accent: 0x1d5578,
    accentStrong: 0x143f5a,
    onAccent: 0xffffff,
    hover: 0xeef3f6,
    error: 0xb3261e,
    errorGround: 0xfdf3f2,
    notice: 0x1c6b48,
    noticeGround: 0xeff8f3,
    focus: 0x0b57d0
  )

  static let dark = Palette(
    page: 0x12171b,
    card: 0x1a2127,
    text: 0xe8edf1,
    quiet: 0xa8b5bf,
    line: 0x313c45,
    control: 0x7e8d99,
    field: 0x12171b,
    accent: 0x8cc8ec,
    accentStrong: 0xb4dcf4,
    onAccent: 0x0c1a23,
    hover: 0x232d35,
    error: 0xff9d93,
    errorGround: 0x2b1b1b,
    notice: 0x7fd3a9,
    noticeGround: 0x16261f,
    focus: 0xa8c7fa
  )

  private init(
    page: UInt32,
    card: UInt32,
    text: UInt32,
    quiet: UInt32,
    line: UInt32,
    control: UInt32,
    field: UInt32,
    accent: UInt32,
    accentStrong: UInt32,
    onAccent: UInt32,
    hover: UInt32,
    error: UInt32,
    errorGround: UInt32,
    notice: UInt32,
    noticeGround: UInt32,
    focus: UInt32
  ) {
    self.page = Color(page)
    self.card = Color(card)
    self.text = Color(text)
    self.quiet = Color(quiet)
    self.line = Color(line)
    self.control = Color(control)
    self.field = Color(field)
    self.accent = Color(accent)
    self.accentStrong = Color(accentStrong)
    self.onAccent = Color(onAccent)
    link = Color(accent)
    linkStrong = Color(accentStrong)
    self.hover = Color(hover)
    self.error = Color(error)
    self.errorGround = Color(errorGround)
    self.notice = Color(notice)
    self.noticeGround = Color(noticeGround)
    self.focus = Color(focus)
  }
}

extension Color {
  /// Reads `0xrrggbb`.
  fileprivate init(_ number: UInt32) {
    self.init(
      red: UInt8(number >> 16 & 0xff),
      green: UInt8(number >> 8 & 0xff),
      blue: UInt8(number & 0xff)
    )
  }
}

extension Brand.Scheme {
  var builtIn: Palette {
    switch self {
    case .light: .light
    case .dark: .dark
    }
  }
}
