extension Brand {
  /// Two colours, one of which has to be legible or visible on the other.
  private struct Pair {
    var front: (name: String, color: Color)
    var back: (name: String, color: Color)
    var required: Double
  }

  /// Every pair of colours that lacks contrast, in either scheme.
  var contrastProblems: [BrandProblem] { Scheme.allCases.flatMap(contrastProblems) }

  private func contrastProblems(in scheme: Scheme) -> [BrandProblem] {
    let palette = palette(scheme)
    func named(_ role: Role, _ color: Color) -> (String, Color) {
      ("\(scheme.rawValue).\(role.rawValue)", color)
    }
    let (text, card) = (named(.text, palette.text), named(.card, palette.card))
    let accent = named(.accent, palette.accent)
    let pairs = [
      Pair(front: text, back: named(.page, palette.page), required: Palette.textContrast),
      Pair(front: text, back: card, required: Palette.textContrast),
      Pair(
        front: named(.accentText, palette.onAccent),
        back: accent,
        required: Palette.textContrast
      ),
      Pair(front: accent, back: card, required: Palette.shapeContrast),
      Pair(front: ("errors", palette.error), back: card, required: Palette.textContrast),
      Pair(front: ("notices", palette.notice), back: card, required: Palette.textContrast),
    ]
    return pairs.compactMap { problem(of: $0) }
  }

  private func problem(of pair: Pair) -> BrandProblem? {
    let ratio = pair.front.color.contrast(with: pair.back.color)
    guard ratio < pair.required else { return nil }
    let need = pair.required == Palette.textContrast ? "text needs" : "controls need"
    let keys = [pair.front.name, pair.back.name].filter { name in
      Key.byName[name].flatMap(text(at:)) != nil
    }
    return BrandProblem(
      at: keys,
      "\(told(pair.front)) on \(told(pair.back)) has a contrast of \(ratio.told):1, and "
        + "\(need) \(pair.required.told):1"
    )
  }

  private func told(_ color: (name: String, color: Color)) -> String {
    guard let key = Key.byName[color.name] else {
      return "the colour of \(color.name) \(color.color)"
    }
    return "'\(color.name)' \(color.color)\(text(at: key) == nil ? " (not given)" : "")"
  }
}

extension Double {
  /// With two digits, never rounded up: 4.499 is not enough where 4.5 is asked for.
  fileprivate var told: String {
    let hundredths = Int(self * 100)
    let rest = hundredths % 100
    return rest % 10 == 0
      ? "\(hundredths / 100).\(rest / 10)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
