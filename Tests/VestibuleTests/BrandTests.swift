import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Logging
import Pages
import Testing
import TestSupport

@testable import Vestibule

@Suite("A brand, installed")
struct BrandTests {
  /// Pages with that brand file in a folder with those files.
  private static func configuration(
    _ json: String,
    files: [String: Int] = [:],
    in folder: String,
    publicFolder: String = ProjectFolder.publicFiles
  ) throws -> Configuration {
    for (name, size) in files {
      try Self.file(name, size: size).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let file = "\(folder)/brand.json"
    try json.write(toFile: file, atomically: true, encoding: .utf8)
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.templates = ProjectFolder.templates
    configuration.publicFolder = publicFolder
    try configuration.readBrand(file)
    return configuration
  }

  private static let drawing = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#

  /// The least that makes a file what its name says, filled up to that size.
  private static func file(_ name: String, size: Int) throws -> Data {
    let length = withUnsafeBytes(of: UInt32(size).bigEndian) { Array($0) }
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    let size1x1: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let entry: [UInt8] = [1, 1, 0, 0, 1, 0, 32, 0, 1, 0, 0, 0, 22, 0, 0, 0]
    let tables: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 24)
    let beginnings: [String: [UInt8]] = [
      "svg": Array(drawing.utf8),
      "png": png + Array("IHDR".utf8) + size1x1 + Array("IDAT".utf8),
      "ico": [0, 0, 1, 0, 1, 0] + entry,
      "woff2": Array("wOF2\0\0\0\0".utf8) + length + tables,
      "webp": Array("RIFF\u{C}\0\0\0WEBPVP8L".utf8),
    ]
    let beginning = try #require(beginnings[String(name.split(separator: ".").last ?? "")])
    return Data(beginning) + Data(repeating: 0x20, count: size - beginning.count)
  }

  private static func answer(
    _ path: String,
    _ configuration: Configuration,
    host: String = "localhost:8080"
  ) async throws -> Response {
    let composition = try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let request = Request(method: .get, target: path, headerFields: [.host: host])
    return await composition.handler.respond(to: request)
  }

  @Test("style sheet and files are static files, each with its type and a tag")
  func served() async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration(
        """
        {"name": "Harbour", "logo": "a.svg", "logo_dark": "b.png", "icon": "c.ico",
         "font": "d.woff2", "background": "e.webp"}
        """,
        files: ["a.svg": 51, "b.png": 52, "c.ico": 53, "d.woff2": 54, "e.webp": 55],
        in: folder
      )
      for (path, type, size) in [
        ("/public/brand/logo.svg", "image/svg+xml", 51),
        ("/public/brand/logo_dark.png", "image/png", 52),
        ("/public/brand/icon.ico", "image/x-icon", 53),
        ("/favicon.ico", "image/x-icon", 53), ("/apple-touch-icon.png", "image/x-icon", 53),
        ("/public/brand/font.woff2", "font/woff2", 54),
        ("/public/brand/background.webp", "image/webp", 55),
      ] {
        let answer = try await Self.answer(path, configuration)
        #expect(answer.headerFields[.contentType] == type)
        #expect(answer.headerFields[.eTag] != nil)
        #expect(answer.body.count == size, "\(path)")
      }
      let sheet = try await Self.answer("/public/brand.css", configuration)
      #expect(sheet.headerFields[.contentType] == "text/css; charset=utf-8")
      let policy = sheet.headerFields[.contentSecurityPolicy] ?? ""
      #expect(policy.contains("font-src 'self'") && !policy.contains("unsafe"))
    }
  }

  @Test("with reloading, a changed brand is served; of a broken one, the last good one is kept")
  func reloaded() async throws {
    try await withTemporaryFolder { folder in
      var configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      configuration.reloadsTemplates = true
      let composition = try Composition(
        configuration,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      func open(_ path: String) async -> (status: Int, text: String) {
        let request = Request(
          method: .get,
          target: path,
          headerFields: [.host: "localhost:8080", .accept: "text/html"]
        )
        let answer = await composition.handler.respond(to: request)
        return (answer.status.code, String(decoding: answer.body, as: UTF8.self))
      }
      func write(_ text: String, to name: String = "brand.json") throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      }
      #expect(await open("/sign-in").text.contains("– Harbour</title>"))
      try write(Self.drawing, to: "logo.svg")
      try write(##"{"name": "Alder", "logo": "logo.svg", "colors": {"accent": "#0b6e4f"}}"##)
      #expect(await open("/sign-in").text.contains("– Alder</title>"))
      #expect(await open("/sign-in").text.contains(#"alt="Alder""#))
      #expect(await open("/public/brand.css").text.contains("#0b6e4f"))
      #expect(await open("/public/brand/logo.svg").text == Self.drawing)
      let other = Self.drawing + "<!-- another -->"
      try write(other, to: "logo.svg")
      #expect(await open("/public/brand/logo.svg").text == other)

      try write(#"{"nmae": "Alder"}"#)
      let spoilt = await open("/sign-up")
      #expect(spoilt.status == 500)
      #expect(spoilt.text.contains("\(folder)/brand.json: unknown key &#39;nmae&#39;"))
      #expect(spoilt.text.contains("data-version="), "it mends by itself")
      #expect(await open("/public/brand.css").text.contains("#0b6e4f"))
      try write(#"{"name": "Alder", "logo": "gone.svg"}"#)
      #expect(await open("/sign-in").text.contains("gone.svg"))
      try write(Self.drawing, to: "gone.svg")
      #expect(await open("/sign-in").status == 200)
    }
  }

  @Test(
    "pages and emulated API have the same name and documents after the brand is read again",
    arguments: [false, true]
  )
  func sameNames(isWatched: Bool) async throws {
    try await withTemporaryFolder { folder in
      func described(_ name: String) -> String {
        """
        {"name": "\(name)", "support": "help@\(name).test", "terms_url": "https://\(name).test/terms",
        "privacy_policy_url": "https://\(name).test/privacy"}
        """
      }
      var configuration = try Self.configuration(described("acme"), in: folder)
      configuration.service = .pages(
        at: Configuration.Address(port: 8080),
        over: .emulated(.clerk, at: Configuration.Address(port: 4010))
      )
      try writeFile(#"{"legal_consent": true}"#, to: "\(folder)/instance.json")
      try configuration.readInstance("\(folder)/instance.json")
      configuration.reloadsTemplates = isWatched
      let composition = try Composition(
        configuration,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      let emulator = try #require(composition.further).handler
      func texts() async -> [String] {
        let page = Request(
          method: .get,
          target: "/sign-up",
          headerFields: [.host: "localhost:8080", .accept: "text/html"]
        )
        let environment = Request(
          method: .get,
          target: "/v1/environment?_is_native=1",
          headerFields: [.host: "127.0.0.1:4010"]
        )
        return [
          String(decoding: await composition.handler.respond(to: page).body, as: UTF8.self),
          String(decoding: await emulator.respond(to: environment).body, as: UTF8.self),
        ]
      }
      for text in await texts() { #expect(text.contains("acme.test"), "\(text)") }
      let file = "\(folder)/brand.json"
      for (json, named, unnamed) in [
        (described("bcme"), ["bcme", "bcme.test"], ["acme"]),
        ("{}", ["Vestibule", "example.com/terms"], ["acme", "bcme"]),
      ] {
        try json.write(toFile: file, atomically: true, encoding: .utf8)
        if !isWatched {
          var changed = configuration
          try changed.readBrand(file)
          try composition.renewed(changed)()
        }
        for text in await texts() {
          for name in named { #expect(text.contains(name), "\(name): \(text)") }
          for name in unnamed { #expect(!text.contains(name), "\(name): \(text)") }
        }
      }
    }
  }

  @Test(
    "a brand that is written while it is read again counts, and so do the files that it names",
    arguments: ["quay.svg", "pier.svg"]
  )
  func writtenMeanwhile(logo: String) async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration(
        #"{"name": "Harbour"}"#,
        files: ["quay.svg": 43, "pier.svg": 43],
        in: folder
      )
      let file = "\(folder)/brand.json"
      let coming = Locked([#"{"name": "Quay", "logo": "\#(logo)"}"#])
      let brand = LiveBrand(try #require(configuration.brand), of: file) {
        path throws(NamedFile.Unreadable) in
        let content = try NamedFile.data(of: path)
        if let text = coming.withLock({ $0.popLast() }) {
          _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        }
        return content
      }
      try #"{"name": "Alder", "logo": "quay.svg"}"#
        .write(toFile: file, atomically: true, encoding: .utf8)
      #expect(brand.lastGood.brand.name == "Quay")
      #expect(brand.paths.contains("\(folder)/\(logo)"), "\(brand.paths)")
    }
  }

  @Test("a change between the start's reading and the first look is not missed")
  func writtenBefore() async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      let file = "\(folder)/brand.json"
      try #"{"name": "Alder"}"#.write(toFile: file, atomically: true, encoding: .utf8)
      let brand = LiveBrand(try #require(configuration.brand), of: file)
      #expect(brand.lastGood.brand.name == "Alder")
    }
  }

  @Test("files that nobody has changed are not read again, so what is made of them lasts")
  func unchanged() async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      let brand = LiveBrand(try #require(configuration.brand), of: "\(folder)/brand.json")
      let revision = brand.lastGood.look.revision
      #expect(brand.lastGood.look.revision == revision)
    }
  }

  @Test("a name alone makes an icon of its initial; without a brand, there are no brand files")
  func monogram() async throws {
    try await withTemporaryFolder { folder in
      let named = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      let icon = try await Self.answer("/public/brand/icon.svg", named)
      #expect(String(decoding: icon.body, as: UTF8.self).contains(">H</text>"))
      var plain = named
      plain.brand = nil
      #expect(try await Self.answer("/public/brand.css", plain).status == .notFound)
      #expect(try await Self.answer("/public/brand/icon.svg", plain).status == .notFound)
    }
  }

  @Test("a file is looked for beside the brand file first, then among the static files")
  func places() async throws {
    try await withTemporaryFolder { folder in
      try await withTemporaryFolder { statics in
        for (name, size) in ["logo.svg": 48, "icon.svg": 49] {
          try Self.file(name, size: size).write(to: URL(fileURLWithPath: "\(statics)/\(name)"))
        }
        let configuration = try Self.configuration(
          #"{"logo": "logo.svg", "icon": "icon.svg"}"#,
          files: ["logo.svg": 47],
          in: folder,
          publicFolder: statics
        )
        let files = try #require(configuration.brand?.files)
        #expect(files[.logo]?.count == 47)
        #expect(files[.icon]?.count == 49)
      }
    }
  }

  @Test("where no folder was given, a file of a brand is refused with the options that name one")
  func noFolders() throws {
    let brand = try Brand(json: Data(#"{"logo": "nowhere.svg"}"#.utf8))
    let fault = #expect(throws: BrandFault.self) { try BrandFolder().files(of: brand) }
    #expect(
      fault?.description
        == "'logo' is a file, and no folder was given: start with --brand or --public"
    )
  }

  @Test("a fault of a brand is one line that names the file, the key and the value")
  func refused() async throws {
    try await withTemporaryFolder { folder in
      let limit = BrandFolder.limitBytes
      for (json, files, words) in [
        (#"{"logo": "nowhere.svg"}"#, [:], "'logo' is in none of the folders"),
        (#"{"font": "large.woff2"}"#, ["large.woff2": limit + 1], "'font' is larger than 2 MiB"),
        (
          #"{"colour": "red"}"#, [:],
          "unknown key 'colour': did you mean 'colors'? (line 1, column 2)"
        ),
        ("{\"colors\":\n {\"page\": \"red\"}}", [:], "is expected (line 2, column 3)"),
        (
          #"{"logo": "gone.svg", "icon": "lost.png"}"#, [:],
          "gone.svg; 'icon' is in none of the folders"
        ),
        ("{\"name\": \"Quay\"\n \"radius\": 4}", [:], "it is not JSON: line 2, column 2"),
        (#"{"name": "Quay", "name": "Pier"}"#, [:], "key 'name' appears twice: line 1, column 18"),
        (
          ##"{"colors": {"text": "#999999"}}"##, [:],
          "'colors.text' #999999 on 'colors.card' #ffffff (not given) has a contrast of 2.84:1"
        ),
      ] as [(String, [String: Int], String)] {
        let failure = #expect(throws: StartFailure.self) {
          try Self.configuration(json, files: files, in: folder)
        }
        #expect(failure?.kind == .configuration)
        #expect(failure?.description.contains("\(folder)/brand.json") == true)
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
      }
      var configuration = Configuration()
      let failure = #expect(throws: StartFailure.self) {
        try configuration.readBrand("\(folder)/nowhere.json")
      }
      #expect(failure?.description.contains("nowhere.json") == true)
    }
  }

  @Test(
    "a file that is not the picture, drawing or font that its name promises is refused",
    arguments: [
      ("logo", "a.svg", "<html><body>svg</body></html>"), ("logo", "b.png", "<svg/>"),
      ("icon", "c.ico", "icon"), ("font", "d.woff2", "wOFF"), ("background", "e.webp", "RIFF"),
      ("background", "f.JPG", ""), ("logo", "g.svg", ""), ("logo", "h.svg", "svg"),
    ]
  )
  func notAsNamed(key: String, name: String, content: String) async throws {
    try await withTemporaryFolder { folder in
      try content.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(#"{"\#(key)": "\#(name)"}"#, in: folder)
      }
      let ending = name.split(separator: ".")[1].lowercased()
      let words = "'\(key)' is not the .\(ending) file that its name promises: \(folder)/\(name)"
      #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }
  }

  @Test("a fault within a file is reported with its path, at a start and in the form")
  func flaws() async throws {
    try await withTemporaryFolder { folder in
      let content = #"<svg xmlns="http://www.w3.org/2000/svg"><rect></svg>"#
      try content.write(toFile: "\(folder)/a.svg", atomically: true, encoding: .utf8)
      let words =
        "'logo' is not well-formed XML, so browsers do not show it: line 1: <rect> is not "
        + "closed: \(folder)/a.svg"
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(#"{"logo": "a.svg"}"#, in: folder)
      }
      #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
      let configuration = try Self.configuration("{}", in: folder)
      let typed = try await Self.findings("logo=a.svg", configuration)
      #expect(typed.problems == [.init(keys: ["logo"], words: words)])
    }
  }

  /// What the form is told about a brand that is typed.
  private struct Findings: Decodable {
    struct Problem: Decodable, Equatable {
      var keys: [String]
      var words: String
    }
    var colors: [String: String]
    var problems: [Problem]
  }

  private static func findings(
    _ query: String,
    _ configuration: Configuration
  ) async throws -> Findings {
    let answer = try await answer("/backstage/brand/preview.json?\(query)", configuration)
    #expect(answer.headerFields[.contentType] == "application/json")
    return try JSONDecoder().decode(Findings.self, from: Data(answer.body))
  }

  @Test("the form learns before it is sent what is wrong, and every colour that results")
  func findings() async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration("{}", in: folder)
      let pale = try await Self.findings("name=Quay&colors.accent=%23ffcc00", configuration)
      #expect(pale.problems.map(\.keys) == [["colors.accent"]])
      #expect(pale.problems.first?.words.contains("has a contrast of 1.") == true)
      #expect(pale.colors["colors.accent"] == "#ffcc00")
      #expect(pale.colors["colors.card"] == "#ffffff", "one that nobody has named")
      #expect(pale.colors.count == 10)
      let gone = try await Self.findings("logo=gone.svg&icon=lost.png", configuration)
      #expect(gone.problems.map(\.keys) == [["logo"], ["icon"]])
      for (key, value) in ["colors.accent": "%23ffcc00", "radius": "wide"] {
        let both = try await Self.findings("logo=gone.svg&\(key)=\(value)", configuration)
        #expect(both.problems.map(\.keys) == [[key], ["logo"]], "neither hides the other")
      }
      let good = try await Self.findings("name=Quay&colors.accent=%230b6e4f", configuration)
      #expect(good.problems.isEmpty)
    }
  }

  @Test("a bitmap may be of another kind than its name says, since browsers accept that")
  func otherPixels() async throws {
    try await withTemporaryFolder { folder in
      let png = try Self.file("a.png", size: 50)
      for name in ["favicon.ico", "logo.jpg"] {
        try png.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      let configuration = try Self.configuration(
        #"{"logo": "logo.jpg", "icon": "favicon.ico"}"#,
        in: folder
      )
      #expect(configuration.brand?.files.count == 2)
    }
  }

  @Test("a drawing may begin with a declaration, a comment and a prefix of its namespace")
  func drawing() async throws {
    try await withTemporaryFolder { folder in
      let drawing =
        "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- Quay -->\n<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"/>"
      try drawing.write(toFile: "\(folder)/quay.svg", atomically: true, encoding: .utf8)
      let configuration = try Self.configuration(#"{"logo": "quay.svg"}"#, in: folder)
      #expect(configuration.brand?.files[.logo]?.count == drawing.utf8.count)
    }
  }

  @Test(
    "the built-in brands can be used as they are",
    arguments: ["harbour", "alder", "zap"]
  )
  func examples(_ name: String) throws {
    var configuration = Configuration()
    try configuration.readBrand("\(ProjectFolder.root)/templates/brands/\(name)/brand.json")
    let brand = try #require(configuration.brand)
    #expect(brand.files.keys.contains(.logo) && brand.files.keys.contains(.logoDark))
    #expect(brand.files.values.allSatisfy { $0.count < 30_000 })
  }

  @Test("a preview shows the brand of its query, and only this origin may frame it")
  func preview() async throws {
    try await withTemporaryFolder { folder in
      let configuration = try Self.configuration(#"{}"#, files: ["quay.svg": 43], in: folder)
      let query = "?name=Quay&logo=quay.svg&colors.accent=%230b6e4f&radius=wide"
      for page in ["sign-in", "error", "code", "locked"] {
        let answer = try await Self.answer(
          "/backstage/brand/preview/\(page)\(query)",
          configuration
        )
        let html = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .ok)
        #expect(html.contains(" – Quay</title>"), "\(page)")
        #expect(html.contains("href=\"/backstage/brand/preview.css?name=Quay&amp;"))
        let policy = answer.headerFields[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("frame-ancestors 'self'") && policy.contains("form-action 'none'"))
        #expect(!policy.contains("script-src"))
        #expect(!html.contains("<script") && !html.contains("autofocus"))
        #expect(
          answer.headerFields[try #require(HTTPField.Name("X-Frame-Options"))] == "SAMEORIGIN"
        )
      }
      let sheet = try await Self.answer("/backstage/brand/preview.css\(query)", configuration)
      let text = String(decoding: sheet.body, as: UTF8.self)
      #expect(text.contains("--accent: #0b6e4f;") && !text.contains("--radius"))
      let logo = try await Self.answer("/backstage/brand/preview/logo.svg\(query)", configuration)
      #expect(logo.body.count == 43)
      #expect(logo.headerFields[.contentType] == "image/svg+xml")
      for path in ["/logo.png", "/nothing", "/font.woff2"] {
        let answer = try await Self.answer("/backstage/brand/preview\(path)\(query)", configuration)
        #expect(answer.status == .notFound, "\(path)")
      }
    }
  }

  @Test("a preview names the API that is emulated, and the world in which it is looked at")
  func previewedEmulation() async throws {
    try await withTemporaryFolder { folder in
      var configuration = try Self.configuration(#"{}"#, in: folder)
      configuration.service = .pages(at: .init(port: 8080), over: .emulated(.entra))
      let answer = try await Self.answer(
        "/backstage/brand/preview/sign-in?name=Quay",
        configuration,
        host: "team-a.localhost:8080"
      )
      let html = String(decoding: answer.body, as: UTF8.self)
      #expect(html.contains("Emulated Entra API") && !html.contains("Clerk"))
      #expect(html.contains(">team-a</b>"))
    }
  }

  @Test(
    "a file that was broken in an editor is shown as it last was, and overwritten only on demand",
    arguments: [false, true]
  )
  func broken(reloads: Bool) async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/brand.json"
      var configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      configuration.reloadsTemplates = reloads
      let composition = try Composition(
        configuration,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      let mark = try #require(HTTPField.Name("X-Vestibule-Backstage"))
      func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        form: FormData? = nil
      ) async -> (status: Int, text: String) {
        var fields: HTTPFields = [.host: "localhost:8080", mark: "1"]
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        let request = Request(
          method: method,
          target: path,
          headerFields: fields,
          body: form?.encoded ?? []
        )
        let answer = await composition.handler.respond(to: request)
        return (answer.status.code, String(decoding: answer.body, as: UTF8.self))
      }
      let path = "/backstage/brand"
      try Data(#"{"name": "Alder", "radius": 5}"#.utf8).write(to: URL(fileURLWithPath: file))
      #expect(await answer(.get, path).text.contains(#/id="preview-name"[^>]* value="Alder"/#))
      for (bytes, words) in [
        (Array(#"{"name": "Quay",}"#.utf8), "it is not JSON: line 1, column 17"),
        (
          Array(#"{"name": "Bad", "logo": "gone.svg"}"#.utf8),
          "&#39;logo&#39; is in none of the folders"
        ),
        ([], "it is not JSON: line 1, column 1"), (Array(#"{"name": "#.utf8), "it is not JSON"),
        (
          Array(#"{"name": "Z"#.utf8) + [0xFC] + Array(#"rich"}"#.utf8),
          "it is not UTF-8 text: line 1, column 12"
        ),
      ] as [([UInt8], String)] {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let page = await answer(.get, path)
        #expect(page.status == 422)
        #expect(page.text.contains("\(file) cannot be used: \(words)"), "\(words)")
        #expect(page.text.contains(#/id="preview-name"[^>]* value="Alder"/#))
        #expect(page.text.contains(#/id="preview-radius"[^>]* value="5"/#))
        let call = await answer(.get, "/backstage/api/brand")
        #expect(call.status == 422 && call.text.contains("unusable_brand"))

        let token = try #require(page.text.firstMatch(of: /name="form_token" value="([^"]+)"/)).1
        let before = try #require(page.text.firstMatch(of: /name="before" value="([^"]+)"/)).1
        func form(_ action: String) -> FormData {
          [
            "form_token": String(token), "before": String(before), "action": action, "name": "Pier",
          ]
        }
        #expect(await answer(.post, path, form: form("write")).status == 422)
        #expect(FileManager.default.contents(atPath: file) == Data(bytes), "it is not lost")
        guard words.contains("UTF-8") else { continue }
        #expect(await answer(.post, path, form: form("replace")).status == 303)
      }
      let written = try Brand(json: Data(contentsOf: URL(fileURLWithPath: file)))
      #expect(written.name == "Pier" && written.radius == nil)
    }
  }

  @Test("with reloading, the last good brand is the one that the pages have shown last")
  func brokenBehindPages() async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/brand.json"
      var configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      configuration.reloadsTemplates = true
      let composition = try Composition(
        configuration,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      func open(_ path: String) async -> String {
        let fields: HTTPFields = [.host: "localhost:8080", .accept: "text/html"]
        let request = Request(method: .get, target: path, headerFields: fields)
        return String(decoding: await composition.handler.respond(to: request).body, as: UTF8.self)
      }
      _ = await open("/backstage/brand")
      try Data(#"{"name": "Alder"}"#.utf8).write(to: URL(fileURLWithPath: file))
      #expect(await open("/sign-in").contains("– Alder</title>"))
      try Data(#"{"name": "Alder""#.utf8).write(to: URL(fileURLWithPath: file))
      #expect(await open("/backstage/brand").contains(#/id="preview-name"[^>]* value="Alder"/#))
    }
  }

  @Test(
    "the next start reads what the form writes into the brand's file or into what that links to",
    arguments: [false, true]
  )
  func written(isLink: Bool) async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/brand.json"
      let configuration = try Self.configuration(#"{"name": "Harbour"}"#, in: folder)
      let files = FileManager.default
      if isLink {
        try files.moveItem(atPath: file, toPath: "\(folder)/harbour.json")
        try files.createSymbolicLink(atPath: file, withDestinationPath: "harbour.json")
      }
      try files.setAttributes(
        [.posixPermissions: 0o664],
        ofItemAtPath: isLink ? "\(folder)/harbour.json" : file
      )
      let composition = try Composition(
        configuration,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      var fields: HTTPFields = [.host: "localhost:8080"]
      let path = "/backstage/brand"
      let page = await composition.handler.respond(
        to: Request(method: .get, target: path, headerFields: fields)
      )
      let html = String(decoding: page.body, as: UTF8.self)
      let token = try #require(html.firstMatch(of: /name="form_token" value="([^"]+)"/)).1
      fields[.contentType] = "application/x-www-form-urlencoded"
      let form: FormData = [
        "form_token": String(token), "action": "write", "name": "Quay", "radius": "3",
      ]
      let sent = await composition.handler.respond(
        to: Request(method: .post, target: path, headerFields: fields, body: form.encoded)
      )
      #expect(sent.status == .seeOther)
      var next = Configuration()
      try next.readBrand(file)
      #expect(next.brand?.brand.name == "Quay" && next.brand?.brand.radius == 3)
      #expect(NamedFile.secret(at: file)?.mode == 0o664)
      guard isLink else { return }
      #expect(try files.destinationOfSymbolicLink(atPath: file) == "harbour.json")
    }
  }
}
