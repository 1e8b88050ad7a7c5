extension Brand {
  /// Every colour of its pages in that scheme.
  func palette(_ scheme: Scheme) -> Palette {
    let named = self[scheme]
    guard !light.isEmpty || !dark.isEmpty else { return scheme.builtIn }
    var palette = scheme.builtIn
    palette.page = named[.page] ?? palette.page
    palette.card = named[.card] ?? palette.card
    palette.text = named[.text] ?? palette.text
    palette.field = named[.card] ?? palette.field
    palette.accent = named[.accent] ?? accent(ofOtherThan: scheme, on: palette)
    palette.onAccent = named[.accentText] ?? palette.textOnAccent
    palette.derive()
    return palette
  }

  /// The accent of the other scheme, moved towards the text colour until it has enough contrast
  /// with this scheme's card and page; the built-in accent if neither scheme names one.
  private func accent(ofOtherThan scheme: Scheme, on palette: Palette) -> Color {
    let other = scheme == .light ? dark[.accent] : light[.accent]
    return other?.moved(towards: palette.text) {
      $0.stands(out: Palette.textContrast, from: [palette.card, palette.page])
    } ?? palette.accent
  }
}

extension Palette {
  /// The built-in colour if it is legible on the accent, else white or black, one of which always
  /// is.
  fileprivate var textOnAccent: Color {
    [onAccent, .white, .black].first { $0.stands(out: Self.textContrast, from: [accent]) } ?? .black
  }

  /// Derives the colours that a brand does not name from those that it does.
  fileprivate mutating func derive() {
    let (builtInError, builtInNotice) = (error, notice)
    let (card, text) = (card, text)
    hover = card.tinted(by: text, 0.05) { text.stands(out: Self.textContrast, from: [$0]) }
    line = card.mixed(with: text, share: 0.14)
    let grounds = [page, card, field, hover]
    func read(_ color: Color) -> Color {
      color.moved(towards: text) { $0.stands(out: Self.textContrast, from: grounds) } ?? text
    }
    quiet = read(text.mixed(with: card, share: 0.35))
    link = read(accent)
    linkStrong = link.mixed(with: text, share: 0.35)
    focus = link
    control =
      card.mixed(with: text, share: 0.5).moved(towards: text) {
        $0.stands(out: Self.shapeContrast, from: [page, card, field])
      } ?? text
    // Away from the colour of the text on it, so that the contrast only grows.
    accentStrong = accent.mixed(
      with: onAccent.luminance > accent.luminance ? .black : .white,
      share: 0.2
    )
    (error, errorGround) = signal(builtInError)
    (notice, noticeGround) = signal(builtInNotice)
  }

  /// A colour with a meaning, made legible without becoming another colour, and its background.
  private func signal(_ color: Color) -> (Color, ground: Color) {
    let ground = card.tinted(by: color, 0.06) { text.stands(out: Self.textContrast, from: [$0]) }
    let readable = color.moved(towards: text, atMost: 0.4) {
      $0.stands(out: Self.textContrast, from: [card, ground])
    }
    return (readable ?? color, ground)
  }
}

extension Color {
  /// The colour with a share of another one, or half that share, or none, whichever first is good.
  fileprivate func tinted(
    by other: Color,
    _ share: Double,
    while isGood: (Color) -> Bool
  ) -> Color {
    [share, share / 2].map { mixed(with: other, share: $0) }.first(where: isGood) ?? self
  }
}
