import Foundation

/// A colour of the sRGB space.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  static let white = Color(red: 255, green: 255, blue: 255)
  static let black = Color(red: 0, green: 0, blue: 0)

  /// Reads `#rgb` or `#rrggbb`; nil for anything else.
  public init?(_ text: String) {
    guard text.first == "#" else { return nil }
    let digits = text.utf8.dropFirst().map { UInt8(hexadecimalDigit: $0) }
    let values = digits.compactMap(\.self)
    guard values.count == digits.count else { return nil }
    switch values.count {
    case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
    case 6:
      self.init(
        red: values[0] * 16 + values[1],
        green: values[2] * 16 + values[3],
        blue: values[4] * 16 + values[5]
      )
    default: return nil
    }
  }

  /// As CSS writes it: `#rrggbb`.
  public var description: String {
    let digits = [red, green, blue].map { part in
      let text = String(part, radix: 16)
      return text.count == 1 ? "0\(text)" : text
    }
    return "#\(digits.joined())"
  }

  /// How bright it is, from 0 for black to 1 for white.
  ///
  /// Source: WCAG 2.2, "relative luminance".
  var luminance: Double {
    func linear(_ part: UInt8) -> Double {
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio, from 1 for equal luminance to 21.
  ///
  /// Source: WCAG 2.2, "contrast ratio".
  func contrast(with other: Color) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }

  /// Whether it has such contrast with each of those.
  func stands(out ratio: Double, from others: [Color]) -> Bool {
    others.allSatisfy { contrast(with: $0) >= ratio }
  }

  /// The colour between the two; a share of 0 is this one, of 1 the other.
  func mixed(with other: Color, share: Double) -> Color {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      let way = Double(Int(two) - Int(one))
      return UInt8((Double(one) + way * share).rounded())
    }
    return Color(
      red: mix(red, other.red),
      green: mix(green, other.green),
      blue: mix(blue, other.blue)
    )
  }

  /// The first good colour on the way to another one, in steps of 5 % up to a share of `limit`; nil
  /// if there is none.
  func moved(
    towards other: Color,
    atMost limit: Double = 1,
    until isGood: (Color) -> Bool
  ) -> Color? {
    stride(from: 0, through: limit, by: 0.05).lazy
      .map { mixed(with: other, share: $0) }
      .first(where: isGood)
  }
}

extension UInt8 {
  /// The value of `0`–`9`, `a`–`f` or `A`–`F`; nil for any other byte.
  fileprivate init?(hexadecimalDigit byte: UInt8) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = byte - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
