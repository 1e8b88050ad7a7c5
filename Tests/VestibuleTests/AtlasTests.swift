import Foundation
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Pages
import Site
import Testing
import TestSupport

@testable import Vestibule

@Suite("Atlas")
struct AtlasTests {
  /// What a document leads to: the values of its `href` and `src`.
  private static func references(in html: String) -> [String] {
    html.matches(of: #/(?:href|src)="([^"]*)"/#).map { String($0.output.1) }
  }

  @Test("a page for a refusal of the server has the status of its state")
  func refusalsOfTheServer() throws {
    // A body that there is no room for has the words of another page, but a status of its own.
    let refusals: [MicroHTTPServer.Refusal] = [
      .malformedFraming(.methodIsNoToken), .headTooLarge, .bodyTooLarge, .stopping,
      .handlerTimedOut, .unsendableAnswer,
    ]
    for refusal in refusals {
      let name = "error/\(refusal.pageRefusal.rawValue)"
      let example = try #require(PageExample.all.first { $0.name == name })
      #expect(example.status == refusal.status.code, "\(name)")
    }
  }

  @Test("the folder has every page in every state, and everything that they show")
  func folder() async throws {
    try await withTemporaryFolder { path in
      let folder = URL(fileURLWithPath: path)
      let atlas = AtlasFolder()
      let (index, pageCount) = try atlas.write(to: folder.path)
      #expect(pageCount == PageExample.all.count)
      let list = try String(contentsOfFile: index, encoding: .utf8)
      for example in PageExample.all {
        #expect(list.contains("href=\"\(example.name).html\""), "\(example.name)")
        let page = folder.appendingPathComponent("\(example.name).html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(!html.contains("\"/public/"), "\(example.name)")
        let assets = Self.references(in: html).filter { $0.hasPrefix("../public/") }
        #expect(assets.count == 4, "\(example.name)")
        for asset in assets {
          let file = page.deletingLastPathComponent().appendingPathComponent(asset)
          #expect(FileManager.default.fileExists(atPath: file.standardized.path), "\(asset)")
        }
      }
      let shown = Self.references(in: list).filter { !$0.hasPrefix("#") }
      #expect(shown.count > 2 * PageExample.all.count)
      for reference in shown {
        let file = folder.appendingPathComponent(reference)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(reference)")
      }
    }
  }

  @Test("no link and no form in the folder leads out of it, except to absolute addresses")
  func links() async throws {
    try await withTemporaryFolder { path in
      let folder = URL(fileURLWithPath: path)
      _ = try AtlasFolder().write(to: folder.path)
      var followed = 0
      for example in PageExample.all {
        let page = folder.appendingPathComponent("\(example.name).html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(!html.contains("method=\"post\""), "\(example.name)")
        for match in html.matches(of: #/ (?:href|action)="([^"]*)"/#) {
          let link = String(match.output.1)
          guard link.firstMatch(of: #/^(?:#|\?|[a-z]+:)/#) == nil else { continue }
          let file = page.deletingLastPathComponent().appendingPathComponent(link).standardized
          #expect(file.path.hasPrefix(folder.standardized.path), "\(example.name): \(link)")
          #expect(FileManager.default.fileExists(atPath: file.path), "\(example.name): \(link)")
          followed += 1
        }
      }
      #expect(followed > PageExample.all.count)
    }
  }

  @Test("with a brand, the pages carry it, and its files are in the folder")
  func branded() async throws {
    try await withTemporaryFolder { folder in
      var configuration = Configuration()
      try configuration.readBrand("\(ProjectFolder.root)/templates/brands/harbour/brand.json")
      _ = try AtlasFolder(brand: configuration.brand).write(to: folder)
      let html = try String(contentsOfFile: "\(folder)/sign-in/fresh.html", encoding: .utf8)
      #expect(html.contains("– Harbour</title>"))
      let assets = Self.references(in: html).filter { $0.hasPrefix("../public/brand") }
      #expect(assets.contains("../public/brand.css") && assets.count > 2)
      for asset in assets {
        let path = "\(folder)/\(asset.dropFirst("../".count))"
        #expect(FileManager.default.fileExists(atPath: path), "\(asset)")
      }
    }
  }

  @Test("pages are in the language that is asked for, also one of your own; the index is English")
  func language() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(#"{"sign-in.heading": "Welkom"}"#, to: "\(folder)/own/messages/nl.json")
      for (asked, written) in [("nl-BE", "nl"), ("ar", "ar")] {
        let place = "\(folder)/\(written)"
        let atlas = AtlasFolder(templates: "\(folder)/own", language: asked)
        let (index, _) = try atlas.write(to: place)
        for example in PageExample.all {
          let path = "\(place)/\(example.name).html"
          let html = try String(contentsOfFile: path, encoding: .utf8)
          #expect(html.contains("<html lang=\"\(written)\" "), "\(path)")
        }
        let html = try String(contentsOfFile: "\(place)/sign-in/fresh.html", encoding: .utf8)
        #expect(html.contains("<h1>Welkom</h1>") == (written == "nl"))
        let list = try String(contentsOfFile: index, encoding: .utf8)
        #expect(list.contains("<html lang=\"en\" "))
      }
    }
  }

  @Test("a language without words is refused, and no atlas is written")
  func unknownLanguage() async throws {
    try await withTemporaryFolder { folder in
      let failure = #expect(throws: StartFailure.self) {
        try AtlasFolder(language: "tlh").write(to: "\(folder)/atlas")
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description.hasSuffix(": tlh") == true)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/atlas"))
    }
  }

  @Test("a folder or templates that cannot be used lead to one clear refusal")
  func refusals() {
    let noTemplates = AtlasFolder(templates: "/nowhere")
    for (atlas, place) in [(noTemplates, "/tmp"), (AtlasFolder(), "/dev/null/atlas")] {
      let failure = #expect(throws: StartFailure.self) { try atlas.write(to: place) }
      #expect(failure?.kind == .configuration)
      // The refusal of the folder has the system's reason.
      #expect((failure?.description.hasSuffix(": Not a directory") == true) == (place != "/tmp"))
    }
  }

  @Test("a file that cannot be used is named as the fault, and no atlas is written")
  func badFile() async throws {
    try await withTemporaryFolder { folder in
      let own = "\(folder)/own"
      try FileManager.default.createDirectory(
        atPath: own,
        withIntermediateDirectories: false
      )
      let link = "\(own)/vestibule.css"
      try FileManager.default.createSymbolicLink(
        atPath: link,
        withDestinationPath: "nowhere.css"
      )
      let failure = #expect(throws: StartFailure.self) {
        try AtlasFolder(publicFolder: own).write(to: "\(folder)/atlas")
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description == "\(link): the link does not lead to a file of the folder")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/atlas"))
    }
  }

  @Test("an atlas replaces an older one, and nothing else")
  func replacing() async throws {
    try await withTemporaryFolder { folder in
      for _ in 1...2 { _ = try AtlasFolder().write(to: "\(folder)/atlas") }
      for own in ["site/index.html", "look/public/vestibule.css"] {
        let file = URL(fileURLWithPath: "\(folder)/\(own)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data("mine".utf8).write(to: file)
        let place = String(own.prefix { $0 != "/" })
        let failure = #expect(throws: StartFailure.self) {
          try AtlasFolder().write(to: "\(folder)/\(place)")
        }
        #expect(failure?.description.contains("not part of an atlas: choose another") == true)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
      }
    }
  }

  // MARK: In the browser

  private let pages: AtlasPages

  init() throws {
    let files = try StaticFiles()
    pages = AtlasPages(try PageRenderer()) { files.bytes(at: $0) }
  }

  private func open(_ path: String, _ method: HTTPRequest.Method = .get) -> Response? {
    pages.answer(to: Request(method: method, target: path))
  }

  private func html(_ path: String) throws -> String {
    String(decoding: try #require(open(path)).body, as: UTF8.self)
  }

  @Test("backstage shows the same pages, and answers at no other address")
  func backstage() {
    for name in Atlas.names { #expect(open("/backstage/atlas/\(name)")?.status == .ok, "\(name)") }
    for path in [
      "/backstage/atlas", "/backstage/atlas/nothing", "/backstage/atlasx", "/backstage/inbox",
      "/backstage/atlas/public/vestibule.css", "/backstage/atlas/public/no.css?scheme=dark",
    ] {
      #expect(open(path) == nil, "\(path)")
    }
    #expect(open("/backstage/atlas", .post) == nil)
  }

  @Test("a page of the atlas may be framed by this origin, and by no other")
  func framing() throws {
    for path in ["sign-in/fresh", "sign-in/fresh?still=1", "sign-in/fresh?format=json"] {
      let fields = try #require(open("/backstage/atlas/\(path)")).headerFields
      let policy = try #require(fields[.contentSecurityPolicy])
      #expect(policy.contains("frame-ancestors 'self'"), "\(path)")
      #expect(fields[.xFrameOptions] == "SAMEORIGIN", "\(path)")
    }
  }

  @Test(
    "a page is shown in light or dark, whatever the reader has chosen",
    arguments: AtlasSetting.Scheme.allCases
  )
  func schemes(scheme: AtlasSetting.Scheme) throws {
    let page = try html("/backstage/atlas/sign-in/fresh?scheme=\(scheme)")
    #expect(page.contains("<meta name=\"color-scheme\" content=\"\(scheme)\">"))
    #expect(!page.contains("prefers-color-scheme"))
    let address = try #require(page.firstMatch(of: #/href="([^"]*vestibule\.css[^"]*)"/#)).output.1
    #expect(address == "/backstage/atlas/public/vestibule.css?scheme=\(scheme)")
    let sheet = try html(String(address))
    #expect(sheet.contains("color-scheme: \(scheme);") && !sheet.contains("prefers-color-scheme"))
    #expect(sheet.contains("url(\"/public/favicon.svg\")"))
  }

  @Test("a page is shown over either API, in a language, with the brand or without")
  func settings() throws {
    #expect(try html("/backstage/atlas/sign-in/fresh").contains("Clerk"))
    let other = try html("/backstage/atlas/sign-in/fresh?api=entra&language=de")
    #expect(other.contains("Entra") && other.contains("lang=\"de\""))
    var look = Brand()
    look.name = "Quay"
    let branded = AtlasPages(try PageRenderer(looks: .fixed(Look(look))))
    for (query, isThere) in [("", true), ("?brand=off", false)] {
      let request = Request(method: .get, target: "/backstage/atlas/sign-in/fresh\(query)")
      let page = String(decoding: try #require(branded.answer(to: request)).body, as: UTF8.self)
      #expect(page.contains("Quay") == isThere)
    }
  }

  @Test("a page says in which world it is looked at")
  func world() throws {
    #expect(try html("/backstage/atlas/sign-in/fresh").contains(">main</b>"))
    let request = Request(
      method: .get,
      target: "/backstage/atlas/sign-in/fresh?still=1",
      headerFields: [.host: "team-a.localhost:8080"]
    )
    let page = String(decoding: try #require(pages.answer(to: request)).body, as: UTF8.self)
    #expect(page.contains(">team-a</b>") && !page.contains(">main</b>"))
  }

  @Test("a picture runs nothing, takes no focus, and its links lead to other pictures")
  func stills() throws {
    var followed: Set<String> = []
    for name in Atlas.names {
      let page = try html("/backstage/atlas/\(name)?scheme=dark&still=1")
      #expect(!page.contains("<script") && !page.contains(" autofocus"), "\(name)")
      for link in Self.references(in: page) where link.hasPrefix("/") && !link.hasPrefix("/public/")
      {
        #expect(link.hasPrefix("/backstage/atlas/"), "\(name): \(link)")
        guard followed.insert(link).inserted else { continue }
        #expect(open(link.replacing("&amp;", with: "&"))?.status == .ok, "\(name): \(link)")
      }
    }
    let twin = try html("/backstage/atlas/sign-in/fresh?format=json&still=1")
    #expect(twin.hasPrefix("{\n  \"page\": \"sign-in\",\n"))
  }

  @Test("the address of all pages names them as JSON, and leaves the page to backstage")
  func names() throws {
    for path in ["/backstage/atlas", "/backstage/atlas/"] {
      #expect(open(path) == nil)
      let request = Request(
        method: .get,
        target: path,
        headerFields: [.accept: "application/json"]
      )
      let answer = try #require(pages.answer(to: request))
      #expect(answer.headerFields[.contentType]?.hasPrefix("application/json") == true)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("sign-in/fresh"))
    }
  }

  @Test("a page is there for HEAD, too, and only style sheets are settled on a scheme")
  func heads() {
    #expect(open("/backstage/atlas/sign-in/fresh", .head)?.status == .ok)
    #expect(open("/backstage/atlas/public/vestibule.css?scheme=dark", .head)?.status == .ok)
    #expect(open("/backstage/atlas/public/favicon.svg?scheme=dark") == nil)
  }
}
