import Crypto
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@testable import Emulators

@Suite("Pages of emulated identity providers")
struct ProviderPageTests {
  @Test("what it says is text, and its policy admits its own style alone")
  func page() throws {
    let response = ProviderPage(
      title: "<b>Somebody's</b>",
      content: "<p>\(HTMLText.escaped(#"<script>alert("1")</script>"#))</p>"
    ).response(.gone, [.requestID: "7"])
    #expect(response.status == .gone)
    #expect(response.headerFields[.requestID] == "7")
    #expect(response.headerFields[.cacheControl] == "no-store")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("<h1>&lt;b&gt;Somebody&#39;s&lt;/b&gt;</h1>"))
    #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"))
    let style = try #require(html.firstMatch(of: /<style>([\s\S]*)<\/style>/)).1
    let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
    let policy = try #require(response.headerFields[.contentSecurityPolicy])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-\(digest)'; "))
    #expect(!policy.contains("script-src"))
  }
}
