internal import CQREncode

/// A QR code as a drawing: the outline of its dark modules, in units of one module.
///
/// Source: ISO/IEC 18004; the modules are libqrencode's.
struct QRCode: Sendable {
  /// The light margin that readers need on each side, in modules.
  static let quietZone = 4

  /// How many modules wide and high it is, margins included.
  let size: Int
  /// The `d` attribute of an SVG path: one bar for each run of dark modules in a row.
  let outline: String

  /// Draws a text; nil where it is too long for a QR code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data, width > 0 else { return nil }
    size = width + 2 * Self.quietZone
    outline = (0..<width).reduce(into: "") { outline, row in
      // The lowest bit of a module says whether it is dark.
      let dark = (0..<width).map { modules[row * width + $0] & 1 == 1 }
      outline += Self.bars(of: dark, row: row + Self.quietZone)
    }
  }

  private static func bars(of dark: [Bool], row: Int) -> String {
    var bars = ""
    var start = 0
    while let first = dark[start...].firstIndex(of: true) {
      let end = dark[first...].firstIndex(of: false) ?? dark.count
      bars += "M\(first + quietZone) \(row)h\(end - first)v1h-\(end - first)z"
      start = end
    }
    return bars
  }
}
