extension AssetFile.Kind {
  /// Why browsers would not show these bytes as a file of this kind, in words that follow its name
  /// in a sentence; nil if they would.
  ///
  /// Browsers recognise raster images by their bytes, whatever they are called, so any raster
  /// extension will do; a drawing and a font have to be what they are named.
  public func flaw(of bytes: [UInt8]) -> String? {
    switch self {
    case .svg:
      DrawingScan.flaw(of: bytes).map { $0 == .noDrawing ? otherThanNamed : $0.words }
    case .png, .webp, .jpg, .jpeg, .ico:
      switch Pixels(bytes) {
      case let pixels?: pixels.flaw(of: bytes)
      case nil: otherThanNamed
      }
    case .woff2: bytes.starts(with: "wOF2".utf8) ? Self.flaw(ofFont: bytes) : otherThanNamed
    }
  }

  private var otherThanNamed: String { "is not the .\(rawValue) file that its name promises" }

  /// Source: W3C, "WOFF File Format 2.0", section 4.1.
  private static func flaw(ofFont bytes: [UInt8]) -> String? {
    let headerLength = 48
    guard bytes.count > headerLength, let length = bytes.number(at: 8, bytes: 4) else {
      return "is a WOFF2 font that ends within its header of \(headerLength) bytes"
    }
    guard length == bytes.count else {
      return "is a WOFF2 font of \(length) bytes by its header, but has \(bytes.count)"
    }
    guard let tables = bytes.number(at: 12, bytes: 2), tables > 0,
      let packed = bytes.number(at: 20, bytes: 4), (1...bytes.count - headerLength).contains(packed)
    else { return "is a WOFF2 font without tables" }
    return nil
  }
}

/// A kind of picture of pixels, by how its bytes begin.
private enum Pixels {
  case png, jpeg, gif, webp, ico

  init?(_ bytes: [UInt8]) {
    let beginnings: [(Self, [UInt8])] = [
      (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), (.jpeg, [0xFF, 0xD8, 0xFF]),
      (.ico, [0, 0, 1, 0]), (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a".utf8)),
    ]
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    guard
      let found = isWebP
        ? Self.webp : beginnings.first(where: { bytes.starts(with: $0.1) }).map(\.0)
    else { return nil }
    self = found
  }

  /// What the file lacks to show anything; nil if nothing is missing.
  ///
  /// Sources: W3C, "Portable Network Graphics", section 11.2; ITU-T T.81, annex B; "GIF89a Specification",
  /// "Logical Screen Descriptor"; RFC 9649, sections 2.3 to 2.7 (WebP).
  func flaw(of bytes: [UInt8]) -> String? {
    switch self {
    case .png:
      Self.hasPixelsOfPNG(bytes)
        ? nil : "is a PNG without pixels: its IHDR with a size, or its IDAT, is missing"
    case .jpeg:
      Self.hasScanOfJPEG(bytes)
        ? nil : "is a JPEG without pixels: its frame with a size, or its scan, is missing"
    case .gif: bytes.count > 13 ? nil : "is a GIF that ends within its header"
    case .webp: Self.flaw(ofWebP: bytes)
    case .ico: Self.hasPictureOfICO(bytes) ? nil : "is an ICO without a whole picture"
    }
  }

  private static func hasPixelsOfPNG(_ bytes: [UInt8]) -> Bool {
    guard bytes.dropFirst(12).starts(with: "IHDR".utf8),
      let width = bytes.number(at: 16, bytes: 4), width > 0,
      let height = bytes.number(at: 20, bytes: 4), height > 0
    else { return false }
    var offset = 8
    while let length = bytes.number(at: offset, bytes: 4) {
      if bytes.dropFirst(offset + 4).starts(with: "IDAT".utf8) { return true }
      offset += 12 + length
    }
    return false
  }

  /// Whether the segments reach a scan, after a frame with a width.
  private static func hasScanOfJPEG(_ bytes: [UInt8]) -> Bool {
    var offset = 2
    var hasFrame = false
    while let marker = bytes.number(at: offset, bytes: 2) {
      // Any number of FF may precede a marker, and decoders skip bytes that are not one.
      guard (0xFF01...0xFFFE).contains(marker) else {
        offset += 1
        continue
      }
      guard marker != 0xFFDA else { return hasFrame }
      guard let length = bytes.number(at: offset + 2, bytes: 2) else { return false }
      if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker),
        let width = bytes.number(at: offset + 7, bytes: 2)
      {
        hasFrame = width > 0
      }
      offset += 2 + length
    }
    return false
  }

  private static func flaw(ofWebP bytes: [UInt8]) -> String? {
    let size = bytes.number(at: 4, bytes: 4, isLittleEndian: true) ?? 0
    // The byte that makes an odd chunk even is left out by some.
    guard bytes.count + 1 >= size + 8 else {
      return "is a WebP of \(size + 8) bytes by its header, but has \(bytes.count)"
    }
    return hasImageOfWebP(bytes)
      ? nil : "is a WebP without pixels: a chunk VP8, VP8L or ANMF is missing"
  }

  /// Whether the chunks reach an image, or a frame of an animation: in an extended file, others come
  /// first.
  private static func hasImageOfWebP(_ bytes: [UInt8]) -> Bool {
    var offset = 12
    while let length = bytes.number(at: offset + 4, bytes: 4, isLittleEndian: true) {
      let chunk = bytes.dropFirst(offset)
      if ["VP8 ", "VP8L", "ANMF"].contains(where: { chunk.starts(with: $0.utf8) }) { return true }
      offset += 8 + length + length % 2
    }
    return false
  }

  private static func hasPictureOfICO(_ bytes: [UInt8]) -> Bool {
    let count = bytes.number(at: 4, bytes: 2, isLittleEndian: true) ?? 0
    return (0..<count).contains { index in
      let entry = 6 + 16 * index
      guard let size = bytes.number(at: entry + 8, bytes: 4, isLittleEndian: true),
        let offset = bytes.number(at: entry + 12, bytes: 4, isLittleEndian: true)
      else { return false }
      return size > 0 && offset + size <= bytes.count
    }
  }
}

extension [UInt8] {
  /// The unsigned number in `count` bytes at an offset; nil if the data ends before.
  fileprivate func number(
    at offset: Int,
    bytes count: Int,
    isLittleEndian: Bool = false
  ) -> Int? {
    guard offset + count <= self.count else { return nil }
    let bytes = self[offset..<offset + count]
    func joined(_ number: Int, _ byte: UInt8) -> Int { number << 8 | Int(byte) }
    return isLittleEndian ? bytes.reversed().reduce(0, joined) : bytes.reduce(0, joined)
  }
}
