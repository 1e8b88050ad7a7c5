extension AssetFile.Kind {
  /// Whether bytes are of that kind, by how they begin.
  ///
  /// Browsers tell pictures of pixels apart by their bytes, whatever they are called, and so may their names
  /// here; a drawing and a font are what they are said to be, or nothing.
  ///
  /// Sources: W3C, "Portable Network Graphics"; RFC 9649 (WebP); ITU-T T.81 (JPEG); W3C, "WOFF File Format 2.0".
  public func fits(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .svg: Self.hasRootOfSVG(bytes)
    case .png, .webp, .jpg, .jpeg, .ico: Self.hasPixels(bytes)
    case .woff2: bytes.starts(with: "wOF2".utf8)
    }
  }

  private static func hasPixels(_ bytes: [UInt8]) -> Bool {
    let beginnings: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF], [0, 0, 1, 0],
      Array("GIF87a".utf8), Array("GIF89a".utf8),
    ]
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP || beginnings.contains { bytes.starts(with: $0) }
  }

  /// A text in which an element `svg` begins, with a prefix of its namespace or without, whatever its encoding
  /// makes of other letters.
  private static func hasRootOfSVG(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(/<([A-Za-z_][A-Za-z0-9_.-]*:)?svg[\s\/>]/)
  }
}
