@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("Pages of a brand")
struct BrandedPageTests {
  private static func branded(_ json: String) throws -> PageRenderer {
    try PageRenderer(
      templates: Fixture.templates,
      looks: .fixed(Look(try Brand(json: Data(json.utf8))))
    )
  }

  private static let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)

  private static func html(_ json: String, of page: any Page = page) throws -> HTML {
    try HTML(branded(json).html(page, in: Fixture.frame()))
  }

  @Test("title, logo, icon, style sheet, font and theme colours are the brand's")
  func head() throws {
    let html = try Self.html(BrandFileTests.complete)
    #expect(html.all("title").first?.text == "Sign in – Harbour")
    let logo = try #require(html.all("img").first)
    #expect(logo["alt"] == "Harbour")
    #expect(logo["src"] == "/public/brand/logo.svg")
    let dark = try #require(html.all("source").first)
    #expect(dark["srcset"] == "/public/brand/logo_dark.svg")
    #expect(dark["media"] == "screen and (prefers-color-scheme: dark)")
    let links = html.all("link")
    #expect(links.first { $0["rel"] == "icon" }?["href"] == "/public/brand/icon.svg")
    #expect(links.first { $0["as"] == "font" }?["href"] == "/public/brand/font.woff2")
    #expect(links.last { $0["rel"] == "stylesheet" }?["href"] == "/public/brand.css")
    let colors = html.all("meta").filter { $0["name"] == "theme-color" }
    #expect(colors.map { $0["content"] } == ["#f4f6f4", "#0d1411"])
    let description = html.all("meta").first { $0["name"] == "description" }
    #expect(description?["content"]?.contains("Harbour") == true)
  }

  @Test("programs in one process share the built-in templates, but not their brands")
  func brandsBesideEachOther() throws {
    func color(_ json: String) throws -> String? {
      let look = Look(try Brand(json: Data(json.utf8)))
      let renderer = try PageRenderer(looks: .fixed(look))
      let html = try HTML(renderer.html(Self.page, in: Fixture.frame()))
      return html.all("meta").first { $0["name"] == "theme-color" }?["content"]
    }
    func page(_ color: String) -> String { #"{"colors": {"page": "\#(color)"}}"# }
    let plain = try color("{}")
    #expect(try color(page("#f4f6f4")) == "#f4f6f4")
    #expect(try color(page("#fdfbf7")) == "#fdfbf7")
    #expect(try color("{}") == plain)
  }

  @Test("phones get the brand's icon if it has pixels, and ours only if the brand has no icon")
  func touchIcon() throws {
    func address(_ json: String) throws -> String? {
      try Self.html(json).all("link").first { $0["rel"] == "apple-touch-icon" }?["href"]
    }
    #expect(try address(#"{"icon": "mark.png"}"#) == "/public/brand/icon.png")
    #expect(try address(BrandFileTests.complete) == nil, "its icon is a drawing")
    #expect(try address(#"{"radius": 4}"#) == "/public/apple-touch-icon.png")
  }

  @Test("links to support, terms and privacy policy are at the foot of the page and in its twin")
  func foot() throws {
    let html = try Self.html(BrandFileTests.complete)
    let links = html.all("footer").flatMap(\.all).filter { $0.tag == "a" }
    let expected = [
      "mailto:help@harbour.example", "https://harbour.example/terms",
      "https://harbour.example/privacy",
    ]
    #expect(links.map { $0["href"] } == expected)
    let bytes = try Self.branded(BrandFileTests.complete).json(Self.page, in: Fixture.frame())
    let twin = try #require(
      JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    )
    #expect(twin["title"] as? String == "Sign in – Harbour")
    let hrefs = (twin["links"] as? [[String: String]] ?? []).compactMap { $0["href"] }
    #expect(Set(expected).isSubset(of: hrefs))
  }

  @Test("people who sign up accept the brand's documents, or the API's if the brand has none")
  func legalStatement() throws {
    let form = SignUpForm(
      mode: .open,
      fields: [.init(.emailAddress, isRequired: true), .init(.legalAccepted, isRequired: true)],
      documents: [LegalDocument(.terms, address: "https://clerk.example/terms")]
    )
    let page = SignUpPage(
      form: form,
      rules: PasswordRules(minimumLength: 8),
      values: [:],
      acceptsTerms: false
    )
    let html = try Self.html(BrandFileTests.complete, of: page)
    let label = try #require(html.all("label").first { $0.text.contains("accept") })
    #expect(
      label.all.filter { $0.tag == "a" }.map { $0["href"] }
        == ["https://harbour.example/terms", "https://harbour.example/privacy"]
    )
    let plain = try Self.html(#"{"name": "Harbour"}"#, of: page)
    #expect(plain.all("a").contains { $0["href"] == "https://clerk.example/terms" })
  }

  @Test("a brand without a logo shows its name, and without an icon its initial")
  func nameAlone() throws {
    let html = try Self.html(#"{"name": "Harbour"}"#)
    #expect(html.all("img").isEmpty)
    #expect(html.all("p").first { $0["class"] == "application" }?.text == "Harbour")
    #expect(html.all("link").first { $0["rel"] == "icon" }?["href"] == "/public/brand/icon.svg")
    let look = Look(try Brand(json: Data(#"{"name": "<harbour>"}"#.utf8)))
    let monogram = String(decoding: try #require(look.monogramBytes), as: UTF8.self)
    #expect(monogram.contains(">H</text>"))
    #expect(Look(try Brand(json: Data(BrandFileTests.complete.utf8))).monogramBytes == nil)
    // Unicode makes one letter of these two.
    let joined = Look(try Brand(json: Data("{\"name\": \"\u{D4E}<\"}".utf8)))
    let escaped = String(decoding: try #require(joined.monogramBytes), as: UTF8.self)
    #expect(escaped.contains(">\u{D4E}&lt;</text>"))
  }

  @Test("without a brand, none of its files is linked, and the colours are the built-in ones")
  func unbranded() throws {
    let html = try HTML(renderer.get().html(Self.page, in: Fixture.frame()))
    #expect(html.all("link").filter { $0["rel"] == "stylesheet" }.count == 1)
    #expect(html.all("link").first { $0["rel"] == "icon" }?["href"] == "/public/favicon.svg")
    let colors = html.all("meta").filter { $0["name"] == "theme-color" }
    #expect(colors.map { $0["content"] } == ["#f3f5f7", "#12171b"])
    #expect(!html.all("ul").contains { $0["class"] == "documents" })
  }

  @Test("the style sheet has what the brand sets, and nothing else")
  func styleSheet() throws {
    func sheet(_ json: String) throws -> String {
      String(
        decoding: Look(try Brand(json: Data(json.utf8))).styleSheetBytes,
        as: UTF8.self
      )
    }
    let complete = try sheet(BrandFileTests.complete)
    for part in [
      "@font-face { font-family: Brand; src: url(\"brand/font.woff2\")", "--accent: #0b6e4f;",
      "--accent: #56c596;", "--radius: 10px;", "url(\"brand/background.webp\")",
      "--font: Brand, var(--system-font);",
      // A picture may have the colour of the focus: its ring lies within the ground of the name.
      ".application a:focus-visible { outline-offset: -3px; }",
    ] { #expect(complete.contains(part), "\(part)") }
    let few = try sheet(#"{"radius": 0}"#)
    #expect(few.contains("--radius: 0px;"))
    for part in ["@font-face", "--accent", "body {", "::before"] {
      #expect(!few.contains(part), "\(part)")
    }
  }

  @Test("a branded page is a still like any other")
  func still() throws {
    let renderer = try Self.branded(BrandFileTests.complete)
    for _ in 1...2 {
      let frame = PageFrame(isUntouched: true, reference: "r", now: Fixture.now) { _ in "token" }
      let html = try renderer.html(Self.page, in: frame)
      #expect(String(decoding: html, as: UTF8.self).contains("Harbour"))
    }
    #expect(renderer.stills.count == 1)
  }
}
