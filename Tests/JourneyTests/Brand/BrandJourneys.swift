import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("A brand, wherever its name appears", .inTurn)
struct BrandJourneys {
  private static func vestibule(over api: EmulatedAuthAPI = .clerk) throws -> TestVestibule {
    var configuration = Configuration()
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
    try configuration.readBrand("\(ProjectFolder.root)/templates/brands/harbour/brand.json")
    return try TestVestibule(configuration)
  }

  private static func html(_ path: String, _ session: FormSession) async throws -> String {
    let answer = try await session.send(.get, path, fields: [.accept: "text/html"])
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test("pages, error pages and a page's twin carry it")
  func pages() async throws {
    let session = try Self.vestibule().recordedSession(world: "brand-pages")
    for path in ["/sign-in", "/forgot-password", "/nothing"] {
      let html = try await Self.html(path, session)
      #expect(html.contains(" – Harbour</title>"), "\(path)")
      #expect(html.contains(#"alt="Harbour""#), "\(path)")
      #expect(html.contains("mailto:help@harbour.example"), "\(path)")
      #expect(!html.contains("Vestibule"), "\(path)")
    }
    let page = try await session.open("/sign-in")
    #expect(page.title == "Sign in – Harbour")
    let links = page.links.map(\.href)
    #expect(links.contains("https://harbour.example/terms"))
    #expect(links.contains("mailto:help@harbour.example"))
  }

  @Test("emails and texts with codes name it over either API, and emails with links over Clerk")
  func messages() async throws {
    for api in EmulatedAuthAPI.all {
      let vestibule = try Self.vestibule(over: api)
      let session = vestibule.recordedSession(world: "brand-messages")
      try await session.open("/sign-in")
      try await session.submit(["identifier": "cody@example.com", "password": ""])
      let message = try await vestibule.recordedBackstage(world: "brand-messages")
        .latestMessage(to: "cody@example.com")
      #expect(message.text.contains("code for Harbour."))
    }
    let textual = try Self.vestibule()
    let browser = textual.session(world: "brand-texts")
    try await browser.open("/sign-in")
    try await browser.submit(["identifier": "mia@example.com", "password": "walk-right-in-42"])
    try await browser.open("/sign-in/second-factor/methods")
    try await browser.submit(form: "phone_code")
    let text = try await textual.backstage(world: "brand-texts").latestMessage(to: "+12015550123")
    #expect(text.channel == "sms")
    #expect(text.text.contains("code for Harbour."))
    let enrolling = try Self.vestibule(over: .entra)
    let rita = enrolling.session(world: "brand-texts")
    try await rita.signIn("rita@example.com")
    try await rita.submit(["method": "phone", "contact": "+12015550177"])
    let other = try await enrolling.backstage(world: "brand-texts")
      .latestMessage(to: "+12015550177")
    #expect(other.channel == "sms")
    #expect(other.text.contains("code for Harbour."))
    let vestibule = try Self.vestibule()
    let session = vestibule.recordedSession(world: "brand-links")
    try await session.open("/sign-in")
    try await session.submit(["identifier": "link@example.com", "password": ""])
    let message = try await vestibule.recordedBackstage(world: "brand-links")
      .latestMessage(to: "link@example.com")
    #expect(message.text.contains("sign in to Harbour"))
  }

  @Test("an authenticator app is told it, and the file of backup codes is named after it")
  func secondFactor() async throws {
    let vestibule = try Self.vestibule()
    let session = vestibule.recordedSession(world: "brand-factor")
    try await session.open("/sign-in")
    try await session.submit(["identifier": "tess@example.com", "password": "walk-right-in-42"])
    let setup = try await session.submit(form: "authenticator")
    let address = try #require(setup.facts["uri"] as? String)
    #expect(address.hasPrefix("otpauth://totp/Harbour:tess@example.com?"))
    #expect(address.contains("&issuer=Harbour"))
    let code = try await vestibule.recordedBackstage(world: "brand-factor")
      .authenticatorCode(of: "user_tess")
    let codes = try await session.submit(["code": code])
    let link = try #require(codes.links.first { $0.name == "download" })
    let file = try await session.send(.get, link.href)
    #expect(
      file.headerFields[.contentDisposition]
        == #"attachment; filename="harbour-backup-codes.txt""#
    )
    #expect(String(decoding: file.body, as: UTF8.self).hasPrefix("Backup codes for Harbour."))
  }

  @Test("an emulated provider's page has its logo and colours, over either API")
  func provider() async throws {
    for api in EmulatedAuthAPI.all {
      let vestibule = try Self.vestibule(over: api)
      let session = vestibule.recordedSession(world: "brand-provider")
      try await session.open("/sign-in")
      let page = try await session.submit(["identifier": "sven@example.com", "password": ""])
      let address = try #require(page.links.first { $0.name == "open" }?.href)
      let path = try #require(address.firstRange(of: "/backstage/browser"))
      let html = try await Self.html(String(address[path.lowerBound...]), session)
      #expect(html.contains(#"<p class="application"><picture>"#))
      #expect(html.contains(#"<img src="data:image/svg+xml;base64,"#))
      #expect(html.contains(#"alt="Harbour"></picture></p>"#))
      #expect(html.contains("--accent: #0b6e4f;") && html.contains("--accent: #56c596;"))
    }
  }
}
