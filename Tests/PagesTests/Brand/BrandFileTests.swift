import Foundation
import Testing

@testable import Pages

@Suite("Reading a brand file")
struct BrandFileTests {
  static let complete = """
    {"name": "Harbour", "logo": "harbour.svg", "logo_dark": "harbour-dark.svg", "icon": "pictures/icon.svg",
     "colors": {"accent": "#0b6e4f", "accent_text": "#FFF", "page": "#f4f6f4", "card": "#ffffff", "text": "#14201a"},
     "colors_dark": {"accent": "#56c596", "accent_text": "#06251a", "page": "#0d1411", "card": "#16201b", "text": "#e8f0ec"},
     "radius": 10, "font": "harbour.woff2", "background": "quay.webp",
     "support": "help@harbour.example", "terms_url": "https://harbour.example/terms", "privacy_policy_url": "https://harbour.example/privacy"}
    """

  private static func brand(_ json: String) throws -> Brand { try Brand(json: Data(json.utf8)) }

  private static func problems(_ json: String) -> [BrandProblem] {
    do {
      _ = try Brand(json: Data(json.utf8))
      return []
    } catch {
      return error.problems
    }
  }

  @Test("every key is read; none is needed")
  func complete() throws {
    let brand = try Self.brand(Self.complete)
    for key in Brand.Key.allCases { #expect(brand.text(at: key) != nil, "\(key.name)") }
    #expect(brand.text(at: .name) == "Harbour")
    #expect(brand.text(at: .file(.icon)) == "pictures/icon.svg")
    #expect(brand.text(at: .color(.light, .accentText)) == "#ffffff")
    #expect(brand.radius == 10)
    #expect(try Self.brand("{}") == Brand())
  }

  @Test("a brand that is written as JSON reads back as the same brand")
  func written() throws {
    let brand = try Self.brand(Self.complete)
    #expect(try Brand(json: brand.json) == brand)
    #expect(try Brand(json: Brand().json) == Brand())
    let quoted = try Self.brand(#"{"name": "\"Harbour\" \\ <b>"}"#)
    #expect(try Brand(json: quoted.json) == quoted)
  }

  @Test(
    "an unknown key is refused by name, with the nearest key or those that are known there",
    arguments: [
      (#"{"colour": "red"}"#, "colour", "did you mean 'colors'?"),
      (#"{"name": "A", "Name": "B"}"#, "Name", "did you mean 'name'?"),
      (#"{"colors": {"acent": "red"}}"#, "colors.acent", "did you mean 'colors.accent'?"),
      (
        #"{"colors": {"link": "red"}}"#, "colors.link",
        "known keys are accent, accent_text, page, card and text"
      ),
      (
        #"{"colors.accent": 1}"#, "colors.accent",
        "known keys are name, logo, logo_dark, icon, colors, colors_dark, radius, font, "
          + "background, support, terms_url and privacy_policy_url"
      ),
    ]
  )
  func unknown(_ json: String, _ key: String, _ words: String) {
    let problems = Self.problems(json)
    #expect(problems.map(\.keys) == [[key]])
    #expect(problems.first?.description == "unknown key '\(key)': \(words)")
  }

  @Test("of a long value or name a refusal says the beginning")
  func long() {
    let (text, start) = (String(repeating: "x", count: 500), String(repeating: "x", count: 99))
    let problems = Self.problems(#"{"name": "\#(text)", "\#(text)": 1}"#).map(\.description)
    #expect(problems.count == 2)
    #expect(problems.first?.hasPrefix("'name' is \"\(start)…\": a text of 1 to 60") == true)
    #expect(problems.last?.hasPrefix("unknown key '\(start)…': known keys are ") == true)
  }

  @Test(
    "an impossible value is refused with its key, the value and what is expected",
    arguments: [
      (#"{"name": ""}"#, #"'name' is "": a text of 1 to 60 characters in one line is expected"#),
      (
        #"{"name": "  "}"#,
        #"'name' is "  ": a text of 1 to 60 characters in one line is expected"#
      ),
      (#"{"name": 7}"#, "'name' is 7: a text of 1 to 60 characters in one line is expected"),
      (#"{"name": null}"#, "'name' is null: a text of 1 to 60 characters in one line is expected"),
      (
        #"{"name": "a\nb"}"#,
        #"'name' is "a\nb": a text of 1 to 60 characters in one line is expected"#
      ),
      (#"{"radius": "10"}"#, #"'radius' is "10": a whole number from 0 to 24 is expected"#),
      (#"{"radius": 25}"#, "'radius' is 25: a whole number from 0 to 24 is expected"),
      (#"{"radius": 1.5}"#, "'radius' is 1.5: a whole number from 0 to 24 is expected"),
      (
        #"{"colors": {"accent": "blue"}}"#,
        #"'colors.accent' is "blue": a colour like #0b6e4f is expected"#
      ),
      (
        ##"{"colors": {"accent": "#12345"}}"##,
        ##"'colors.accent' is "#12345": a colour like #0b6e4f is expected"##
      ),
      (
        ##"{"colors_dark": {"page": "#ggg"}}"##,
        ##"'colors_dark.page' is "#ggg": a colour like #0b6e4f is expected"##
      ),
      (#"{"colors": "red"}"#, "'colors' is not an object of colours"),
      (
        #"{"support": "nobody"}"#,
        #"'support' is "nobody": an email address or a web address is expected"#
      ),
      (
        #"{"terms_url": "javascript:alert(1)"}"#,
        #"'terms_url' is "javascript:alert(1)": an address that begins with https:// or http:// is expected"#
      ),
      (
        #"{"icon": "icon.webp"}"#,
        #"'icon' is "icon.webp": the name of a file that ends in .svg, .png or .ico is expected"#
      ),
      (
        #"{"font": "font.ttf"}"#,
        #"'font' is "font.ttf": the name of a file that ends in .woff2 is expected"#
      ),
    ]
  )
  func wrongValue(_ json: String, _ words: String) {
    #expect(Self.problems(json).map(\.description) == [words])
  }

  @Test(
    "support is an email address, or an address on the web that leads where it seems to",
    arguments: [
      ("help@harbour.example", true), ("mailto:help@harbour.example", true),
      ("MailTo:help@harbour.example?subject=a:b", true), ("hilfe@bücher.example", true),
      ("https://harbour.example/help?to=a@b", true), ("HTTP://harbour.example", true),
      ("https://", false), ("https://bank.example@evil.example", false),
      ("mailto:https://bank.example@evil.example", false), ("javascript:alert(1)//@x", false),
      ("https://harbour.example/a b", false), ("https://harbour.example/\u{202E}", false),
      ("help desk@harbour.example", false), ("help\u{200D}@harbour.example", false),
    ]
  )
  func support(_ address: String, isTaken: Bool) throws {
    let text = String(decoding: try JSONEncoder().encode(address), as: UTF8.self)
    let keys = Self.problems(#"{"support": \#(text)}"#).map(\.keys)
    #expect(keys == (isTaken ? [] : [["support"]]))
  }

  @Test(
    "a file's name cannot lead outside the folders that are searched",
    arguments: [
      "../logo.svg", "/etc/logo.svg", "a/../logo.svg", ".svg", "a//b.svg", "a/.b.svg", "a\\b.svg",
    ]
  )
  func path(_ path: String) throws {
    let name = String(decoding: try JSONEncoder().encode(path), as: UTF8.self)
    #expect(Self.problems(#"{"logo": \#(name)}"#).map(\.keys) == [["logo"]])
  }

  @Test(
    "a file's name with the right ending is refused with what else is wrong",
    arguments: ["./logo.svg", "/images/logo.svg", "images/../logo.SVG"]
  )
  func pathWords(_ path: String) throws {
    let words =
      "'logo' is \"\(path)\": a path below the folder of the brand's file, such as images/logo.svg, in "
      + "which no part is empty or begins with a dot, is expected"
    #expect(Self.problems(#"{"logo": "\#(path)"}"#).map(\.description) == [words])
    let typed = #expect(throws: BrandFault.self) { try Brand(typed: ["logo": path]) }
    #expect(typed?.description == words)
  }

  @Test("everything that is wrong is said at once, in one line")
  func several() {
    do {
      _ = try Self.brand(#"{"name": "", "colour": 1, "radius": -1}"#)
      Issue.record("accepted")
    } catch {
      let words = "\(error)"
      #expect(words.contains("'name'") && words.contains("'colour'") && words.contains("'radius'"))
      #expect(!words.contains("\n"))
    }
  }

  @Test("anything but a JSON object is one problem", arguments: ["", "[]", "nonsense", #""name""#])
  func noDocument(_ json: String) {
    #expect(Self.problems(json).count == 1)
  }

  @Test("typed values make the same brand as a file; empty ones are left out")
  func typed() throws {
    let file = try Self.brand(Self.complete)
    var texts: [String: String] = ["form_token": "x"]
    for key in Brand.Key.allCases { texts[key.name] = file.text(at: key) }
    #expect(try Brand(typed: texts) == file)
    #expect(try Brand(typed: ["name": " ", "radius": ""]) == Brand())
    let fault = #expect(throws: BrandFault.self) { try Brand(typed: ["radius": "wide"]) }
    #expect(fault?.problems.map(\.keys) == [["radius"]])
  }
}
