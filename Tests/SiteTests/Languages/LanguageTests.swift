import AuthFlow
import HTTPTypes
import Localization
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("The language of a reader")
struct LanguageTests {
  private static func language(of page: Visitor.Page) -> String? {
    page.body.firstMatch(of: /<html lang="([^"]+)"/).map { String($0.output.1) }
  }

  @Test(
    "a page is in the browser's best language that exists here, otherwise in English",
    arguments: [
      ("de-AT,de;q=0.9,en;q=0.8", "de"), ("nl,ar;q=0.5", "ar"), ("nl", "en"), ("en;q=0.1,ja", "ja"),
      ("", "en"), ("en-XA", "en-XA"), ("*", "en"), ("not a header;;;", "en"),
    ]
  )
  func acceptLanguage(_ header: String, _ expected: String) async throws {
    let visitor = try TestSite().visitor()
    let page = await visitor.open("/sign-in", [.accept: "text/html", .acceptLanguage: header])
    #expect(Self.language(of: page) == expected)
    let twin = await visitor.open("/sign-in", [.acceptLanguage: header])
    if expected == "de" { #expect((twin.json["title"] as? String)?.hasPrefix("Anmelden") == true) }
  }

  @Test("the menu's choice leads back to the page, with its other parameters, and is kept")
  func choice() async throws {
    let visitor = try TestSite().visitor()
    let german: HTTPFields = [.accept: "text/html", .acceptLanguage: "de"]
    let chosen = await visitor.open("/sign-in?identifier=a%26b&language=ja&x=1", german)
    #expect(chosen.status == 303 && chosen.location == "/sign-in?identifier=a%26b&x=1")
    #expect(visitor.cookies["vestibule_language"] == "ja")
    #expect(Self.language(of: await visitor.open("/sign-in", german)) == "ja")
    let alone = await visitor.open("/sign-up?language=ar", german)
    #expect(alone.location == "/sign-up")
    let arabic = await visitor.open("/sign-in", german)
    #expect(Self.language(of: arabic) == "ar" && arabic.body.contains(#"dir="rtl""#))
  }

  @Test("the menu's links keep the parameters of the page, and lead to a page that can be opened")
  func menu() async throws {
    let visitor = try TestSite().visitor()
    let page = await visitor.open("/sign-in?identifier=a%40b.example", [.accept: "text/html"])
    #expect(
      page.body.contains(#"href="/sign-in?identifier=a%40b.example&amp;language=de" lang="de""#)
    )
    let refused = await visitor.post("/sign-in", [:], [.accept: "text/html"])
    #expect(refused.body.contains(#"href="/sign-in?language=de""#))
    let missing = await visitor.open("//elsewhere.example/?language=de", [.accept: "text/html"])
    #expect(missing.status == 404 && missing.location == nil)
    #expect(missing.body.contains(#"href="/sign-in?language=de""#))
  }

  @Test("the menu's links keep parameters of up to 2,000 bytes, and none of longer ones")
  func longQuery() async throws {
    let visitor = try TestSite().visitor()
    for (count, isKept) in [(2_000, true), (2_001, false)] {
      let query = "x=" + String(repeating: "y", count: count - 2)
      let body = await visitor.open("/sign-in?\(query)", [.accept: "text/html"]).body
      let kept = isKept ? "\(query)&amp;" : ""
      #expect(body.contains(#"href="/sign-in?\#(kept)language=de""#), "\(count)")
    }
  }

  @Test("a password in an address goes no further (R9)")
  func secrets() async throws {
    let visitor = try TestSite().visitor()
    let query = "%70assword=canary-1&identifier=ada&password_confirm=canary-2"
    let page = await visitor.open("/sign-in?\(query)", [.accept: "text/html"])
    #expect(page.body.contains(#"href="/sign-in?identifier=ada&amp;language=de""#))
    #expect(!page.body.contains("canary"))
    let alone = await visitor.open("/sign-in?password=canary-2", [.accept: "text/html"])
    #expect(alone.body.contains(#"href="/sign-in?language=de""#))
    let chosen = await visitor.open("/sign-in?\(query)&language=de")
    #expect(chosen.location == "/sign-in?identifier=ada")
  }

  @Test(
    "a choice is the language itself if it exists here, otherwise the closest one",
    arguments: [
      ("de-AT", "de"), ("de-Latn-CH", "de"), ("ar-EG", "ar"), ("EN-gb", "en"), ("en-XA", "en-XA"),
      ("de", "de"),
    ]
  )
  func closest(_ value: String, _ expected: String) async throws {
    let visitor = try TestSite().visitor()
    let answer = await visitor.open("/sign-in?language=\(value)")
    #expect(answer.status == 303 && answer.location == "/sign-in")
    #expect(visitor.cookies["vestibule_language"] == expected)
  }

  @Test(
    "a language that does not exist here cannot be chosen",
    arguments: ["nl", "", "..%2F", "de%0d%0aSet-Cookie:x", "DEUTSCH"]
  )
  func unknown(_ value: String) async throws {
    let visitor = try TestSite().visitor()
    let answer = await visitor.open("/sign-in?language=\(value)")
    #expect(answer.status == 303 && answer.location == "/sign-in")
    #expect(visitor.cookies["vestibule_language"] == nil)
    visitor.cookies["vestibule_language"] = value
    let page = await visitor.open("/sign-in", [.accept: "text/html"])
    #expect(Self.language(of: page) == "en")
  }

  @Test("if the language is fixed, there is no menu and nothing changes it")
  func fixed() async throws {
    let visitor = try TestSite(language: LanguageTag("fr")).visitor()
    visitor.cookies["vestibule_language"] = "de"
    let page = await visitor.open(
      "/sign-in?language=ja",
      [.accept: "text/html", .acceptLanguage: "ar"]
    )
    #expect(page.status == 200 && Self.language(of: page) == "fr")
    #expect(!page.body.contains("hreflang"))
  }

  @Test("the cookie is kept for a year, and behind https has its prefix and is Secure")
  func cookie() async throws {
    for (origin, isSecure) in [("http://localhost:8080", false), ("https://localhost:8080", true)] {
      let test = try TestSite(publicOrigin: origin)
      let answer = await test.visitor().open("/sign-in?language=de")
      let expected =
        (isSecure ? "__Host-" : "")
        + "vestibule_language=de; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
        + (isSecure ? "; Secure" : "")
      #expect(answer.header("Set-Cookie") == expected)
    }
  }
}
