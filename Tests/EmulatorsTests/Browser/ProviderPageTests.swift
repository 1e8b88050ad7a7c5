import Crypto
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@testable import Emulators

@Suite("Pages of emulated identity providers")
struct ProviderPageTests {
  private func words(_ language: String) -> ProviderWords {
    ProviderWords(
      .builtIn,
      for: Request(method: .get, target: "/", headerFields: [.acceptLanguage: language])
    )
  }

  private func page(
    of application: EmulatedApplication = EmulatedApplication(),
    in language: String = "en",
    saying content: String = ""
  ) -> String {
    let page = ProviderPage(
      application: application,
      words: words(language),
      title: .providerOrganizationTitle,
      content: content
    )
    return String(decoding: page.response(.ok).body, as: UTF8.self)
  }

  @Test("a page has its reader's language and that language's direction")
  func language() {
    #expect(page().contains("<h1>Sign-in page of your organisation</h1>"))
    #expect(page(in: "de-CH").contains("<h1>Anmeldeseite Ihrer Organisation</h1>"))
    let arabic = page(in: "ar", saying: words("ar")[.providerSignInAs, ["identifier": "ada"]])
    #expect(arabic.contains(#"<html lang="ar" dir="rtl">"#))
    #expect(arabic.contains("\u{2068}ada\u{2069}"))
  }

  @Test("a brand's logo replaces its name, which becomes the alternative text")
  func logo() {
    let logo = EmulatedApplication.Logo(light: "data:image/png;base64,QQ==", dark: "data:,dark")
    let html = page(of: EmulatedApplication(name: "Alder & Co", logo: logo))
    #expect(html.contains(#"<img src="data:image/png;base64,QQ==" alt="Alder &amp; Co">"#))
    #expect(html.contains(#"<source srcset="data:,dark" media="(prefers-color-scheme: dark)">"#))
    #expect(!page().contains("<img"))
  }

  @Test("a page escapes what it shows, and its policy admits only its own style")
  func markup() throws {
    let response = ProviderPage(
      application: EmulatedApplication(name: "<b>Somebody's</b>"),
      words: words("en"),
      title: .providerOrganizationTitle,
      content: words("en")[.providerSignInAs, ["identifier": #"<script>alert("1")</script>"#]]
    ).response(.gone, [.requestID: "7"])
    #expect(response.status == .gone)
    #expect(response.headerFields[.requestID] == "7")
    #expect(response.headerFields[.cacheControl] == "no-store")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains(#"<p class="application">&lt;b&gt;Somebody&#39;s&lt;/b&gt;</p>"#))
    #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"))
    let style = try #require(html.firstMatch(of: /<style>([\s\S]*)<\/style>/)).1
    let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
    let policy = try #require(response.headerFields[.contentSecurityPolicy])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-\(digest)'; "))
    #expect(!policy.contains("script-src"))
  }
}
