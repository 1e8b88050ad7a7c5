import Foundation
import Testing

@testable import Pages

@Suite("Whether browsers would show a file of a brand")
struct AssetFileTests {
  private static let namespace = #"xmlns="http://www.w3.org/2000/svg""#

  private static func flaw(_ drawing: String) -> String? {
    AssetFile.Kind.svg.flaw(of: Array(drawing.utf8))
  }

  @Test(
    "a drawing is accepted however it is written, as long as browsers show it",
    arguments: [
      "<svg \(namespace)/>", "\n<svg \(namespace) ></svg >\n<!-- end --><?end?>",
      "\u{FEFF}<?xml version=\"1.0\"?><!DOCTYPE svg><svg \(namespace)><g/></svg>",
      "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:g a.b-c = '\"&lt;'/></s:svg>",
      "<svg \(namespace)><style><![CDATA[a<b & c>d]]></style>&#8211;&amp;<!-- <g> & - --></svg>",
      "<svg \(namespace) xmlns:xlink=\"x\"><use xlink:href=\"#a\" xml:space=\"preserve\"/></svg>",
      "<svg \(namespace)><g xmlns:i=\"x\"><i:a><i:b/></i:a></g><é/></svg>",
      "<?xml version=\"1.0\"?><?xml-stylesheet href=\"a.css\"?><svg \(namespace)/>",
      "<!DOCTYPE svg [ <?a it's ] > ?> ]><svg \(namespace)/>",
      """
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [
        <!-- it's > ] --> <!ENTITY ns_svg "http://www.w3.org/2000/svg">
      ]>
      <svg xmlns="&ns_svg;"><text>&ns_svg;</text></svg>
      """,
    ]
  )
  func shown(_ drawing: String) {
    #expect(Self.flaw(drawing) == nil)
    let units = [0xFEFF] + Array(drawing.replacing("\u{FEFF}", with: "").utf16)
    let wide = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(AssetFile.Kind.svg.flaw(of: wide) == nil, "in UTF-16, too")
    let bigEndian = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(AssetFile.Kind.svg.flaw(of: bigEndian) == nil, "whichever byte comes first")
  }

  @Test(
    "the fault at which browsers give up on a drawing is reported with its line",
    arguments: [
      ("<svg \(namespace)>\n<g>\n<a/></svg>", "line 2: <g> is not closed"),
      ("<svg \(namespace)>", "line 1: <svg> is not closed"),
      ("<svg \(namespace)", "line 1: <svg> is not closed"),
      ("<svg \(namespace)></svg></svg>", "line 1: </svg> closes nothing"),
      ("<svg \(namespace)>\n</svg", "line 2: </svg> is not a whole tag"),
      ("<svg \(namespace) =\"1\"/>", "line 1: <svg> is not a whole tag"),
      ("<svg \(namespace) 1a=\"1\"/>", "line 1: <svg> is not a whole tag"),
      ("<svg \(namespace)>&amp</svg>", "line 1: &amp is unknown: write &amp; for an &"),
      ("<svg \(namespace)></svg>\n<p/>", "line 2: there is something after the last element"),
      ("<svg \(namespace)></svg>\nend", "line 2: there is text after the last element"),
      ("<svg \(namespace) width=10/>", "line 1: the value of 'width' of <svg> is not in quotes"),
      ("<svg \(namespace) hidden/>", "line 1: 'hidden' of <svg> has no value"),
      ("<svg \(namespace) id=\"a/>", "line 1: the quotes of 'id' of <svg> are not closed"),
      (
        "<svg \(namespace)><text a=\"a<b\"/></svg>",
        "line 1: the quotes of 'a' of <text> are not closed before a '<', which is &lt; in a value"
      ),
      ("<svg \(namespace) a=\"1\"b=\"2\"/>", "line 1: there is no space before 'b'"),
      ("<svg \(namespace) a=\"1\" a=\"2\"/>", "line 1: <svg> has 'a' twice"),
      ("<svg \(namespace)>\n\n&nbsp;</svg>", "line 3: &nbsp; is unknown: write &amp; for an &"),
      ("<svg \(namespace)>a < b</svg>", "line 1: a '<' does not begin a tag: write &lt; for text"),
      (
        "<svg \(namespace)><use xlink:href=\"#a\"/></svg>",
        "line 1: 'xlink:href' has a prefix that no xmlns:xlink declares"
      ),
      ("<svg \(namespace)>\u{7}</svg>", "line 1: there is a control character"),
      ("<svg \(namespace)><!-- a -- b --></svg>", "line 1: there is a '--' in a comment"),
      ("<svg \(namespace)><!-- a", "line 1: a comment is not closed"),
      (
        "\n<?xml version=\"1.0\"?><svg \(namespace)/>",
        "line 2: '<?xml' is not at the start of the file"
      ),
    ] as [(String, String)]
  )
  func malformed(_ drawing: String, _ words: String) {
    let expected = "is not well-formed XML, so browsers do not show it: \(words)"
    #expect(Self.flaw(drawing) == expected)
  }

  @Test(
    "a large drawing is checked quickly, however deep it is and whatever it declares",
    .timeLimit(.minutes(1))
  )
  func large() {
    let deep = (0..<20_000).map { "<g xmlns:p\($0)=\"x\" p\($0):a=\"\">" }
    let ends = String(repeating: "</g>", count: deep.count)
    #expect(Self.flaw("<svg \(Self.namespace)>\(deep.joined())\(ends)</svg>") == nil)
    let wide = (0..<30_000).map { "a\($0)=\"&#\($0 % 90 + 32);\"" }
    #expect(Self.flaw("<svg \(Self.namespace) \(wide.joined(separator: " "))/>") == nil)
    let ended = "<svg \(Self.namespace)><g xmlns:p=\"x\"/><p:a/></svg>"
    #expect(Self.flaw(ended)?.contains("'p:a' has a prefix that no xmlns:p declares") == true)
  }

  @Test("a drawing needs an <svg> root with its namespace, and an encoding that browsers read")
  func others() {
    let words =
      "has no \(Self.namespace) on its <svg>, without which browsers do not show a file"
    for root in [
      "<svg/>", "<svg xmlns=\"https://www.w3.org/2000/svg\"/>", "<s:svg \(Self.namespace)/>",
    ] {
      #expect(Self.flaw(root) == words, "\(root)")
    }
    for text in ["", "Quay", "<html><svg \(Self.namespace)/></html>", "<SVG \(Self.namespace)/>"] {
      #expect(Self.flaw(text) == "is not the .svg file that its name promises", "\(text)")
    }
    let letters =
      "is not UTF-8 text: Chromium does not show such a picture, whatever encoding it declares"
    let declaration = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>"
    for start in ["", declaration] {
      let drawing = "\(start)<svg \(Self.namespace)><title>Z"
      let latin = Array(drawing.utf8) + [0xFC] + Array("rich</title></svg>".utf8)
      #expect(AssetFile.Kind.svg.flaw(of: latin) == letters)
    }
    #expect(Self.flaw("\(declaration)<svg \(Self.namespace)/>") == nil, "ASCII is UTF-8")
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IDAT".utf8)
  private static let jpeg: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0,
    0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0,
  ]
  private static let gif: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C]
  private static let webp: [UInt8] = Array("RIFF\u{C}\0\0\0WEBPVP8L\0\0\0\0".utf8)
  private static let ico: [UInt8] = [
    0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 1, 0, 0, 0, 22, 0, 0, 0, 9,
  ]
  private static let font: [UInt8] =
    Array("wOF2\0\0\0\0\0\0\0\u{32}\0\u{1}\0\0\0\0\0\0\0\0\0\u{2}".utf8)
    + Array(repeating: 0, count: 26)

  @Test(
    "a picture or font that is cut short is refused, as far as its header shows it",
    arguments: [
      (
        .png, png,
        "is a PNG without pixels: its IHDR with a size, or its IDAT, is missing"
      ),
      (.jpeg, jpeg, "is a JPEG without pixels: its frame with a size, or its scan, is missing"),
      (.png, gif, "is a GIF that ends within its header"),
      (.webp, webp, "is a WebP"), (.ico, ico, "is an ICO without a whole picture"),
      (.woff2, font, "is a WOFF2 font"),
    ] as [(AssetFile.Kind, [UInt8], String)]
  )
  func headers(_ kind: AssetFile.Kind, _ bytes: [UInt8], _ words: String) {
    #expect(kind.flaw(of: bytes) == nil)
    // Anything shorter lacks something, down to bytes that no longer look like such a file.
    let tail = kind == .jpeg ? 9 : kind == .webp ? 2 : 1
    for count in 0...(bytes.count - tail) {
      let flaw = kind.flaw(of: Array(bytes.prefix(count)))
      let isExpected =
        flaw?.hasPrefix(words) == true || flaw?.hasPrefix("is not the") == true
      #expect(isExpected, "\(count) bytes: \(flaw ?? "taken")")
    }
  }

  @Test("an extended WebP has pixels only if an image chunk follows its header")
  func extendedWebP() {
    let header = Array("WEBPVP8X\u{A}\0\0\0".utf8) + Array(repeating: 0, count: 10)
    // A chunk of odd length, padded to an even one.
    let alpha = Array("ALPH\u{3}\0\0\0abc\0".utf8)
    func flaw(_ chunks: [UInt8]) -> String? {
      let body = header + chunks
      return AssetFile.Kind.webp.flaw(
        of: Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
      )
    }
    let words = "is a WebP without pixels: a chunk VP8, VP8L or ANMF is missing"
    for chunks in [[], alpha, Array("VP8Z\0\0\0\0".utf8)] { #expect(flaw(chunks) == words) }
    for name in ["VP8 ", "VP8L", "ANMF"] {
      #expect(flaw(alpha + Array("\(name)\0\0\0\0".utf8)) == nil, "\(name)")
    }
  }

  @Test("a width of 0, a length other than the file's and a font without tables are reported")
  func wrongHeaders() {
    var flat = Self.png
    flat[19] = 0
    #expect(AssetFile.Kind.png.flaw(of: flat)?.hasPrefix("is a PNG without pixels") == true)
    let long = Self.font + [0]
    #expect(
      AssetFile.Kind.woff2.flaw(of: long) == "is a WOFF2 font of 50 bytes by its header, but has 51"
    )
    let zeros = Array("wOF2".utf8) + Array(repeating: 0, count: 100)
    #expect(
      AssetFile.Kind.woff2.flaw(of: zeros)
        == "is a WOFF2 font of 0 bytes by its header, but has 104"
    )
    var bare = Self.font
    bare[13] = 0
    #expect(AssetFile.Kind.woff2.flaw(of: bare) == "is a WOFF2 font without tables")
    let cut = Self.webp.dropLast(2)
    #expect(
      AssetFile.Kind.webp.flaw(of: Array(cut)) == "is a WebP of 20 bytes by its header, but has 18"
    )
  }

  @Test("a picture without a size, and a font whose tables are none or too long, are refused")
  func emptyHeaders() {
    var flat = Self.png
    flat[23] = 0
    #expect(AssetFile.Kind.png.flaw(of: flat)?.hasPrefix("is a PNG without pixels") == true)
    // These segments have codes like those of frames, and are none.
    for marker: UInt8 in [0xC4, 0xC8, 0xCC] {
      var frameless = Self.jpeg
      frameless[10] = marker
      #expect(AssetFile.Kind.jpeg.flaw(of: frameless)?.hasPrefix("is a JPEG without") == true)
    }
    var empty = Self.ico
    empty[14] = 0
    #expect(AssetFile.Kind.ico.flaw(of: empty) == "is an ICO without a whole picture")
    for (length, isFlawed) in [(0, true), (1, false), (2, false), (3, true)] as [(UInt8, Bool)] {
      var font = Self.font
      font[23] = length
      #expect((AssetFile.Kind.woff2.flaw(of: font) == "is a WOFF2 font without tables") == isFlawed)
    }
  }
}
