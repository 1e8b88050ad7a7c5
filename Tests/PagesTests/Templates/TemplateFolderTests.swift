import Assets
import AuthFlow
import Foundation
import Localization
import Locking
import Testing
import TestSupport

@testable import Pages

@Suite("A folder of templates")
struct TemplateFolderTests {
  @Test("unescaped values are refused even in a template that no page includes (S17)")
  func refused() throws {
    let copy = try TemplateCopy()
    try copy.write("<p>\n  {{{heading}}}\n", to: "partials/odd.mustache")
    let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
    #expect(
      error?.description
        == "\(copy.path)/partials/odd.mustache:2:3: unescaped values are not allowed"
    )
  }

  @Test("a template that cannot be parsed is named with its line")
  func unparsable() throws {
    let copy = try TemplateCopy()
    try copy.write("<p>\n{{#heading}}\n", to: "error.mustache")
    let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
    #expect(error?.file == "\(copy.path)/error.mustache")
    #expect(error?.position?.line == 2)
  }

  @Test("a message that needs values no template gives is refused with its place")
  func messageWithPlaces() throws {
    let copy = try TemplateCopy()
    try copy.write("<p>\n  {{@page.skip}} {{@time.clock.dated}}\n", to: "partials/odd.mustache")
    let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
    #expect(
      error?.description
        == "\(copy.path)/partials/odd.mustache:2:18: the message time.clock.dated needs "
        + "{clock}, {date}, which no template gives"
    )
  }

  @Test("a page's template must not be empty; a partial may be")
  func empty() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("", to: "\(folder)/partials/links.mustache")
      #expect(throws: Never.self) { try PageRenderer(templates: folder) }
      for text in ["", " \r\n\t", "{{! nothing }}\n"] {
        try writeFile(text, to: "\(folder)/sign-in.mustache")
        let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
        #expect(fault?.description == "\(folder)/sign-in.mustache: the template is empty")
      }
    }
  }

  @Test("unreadable files are reported as such, not as a fault in words or in a template")
  func unreadable() throws {
    let copy = try TemplateCopy()
    let renderer = try PageRenderer(templates: copy.path, watch: copy.watch)
    func document() throws -> String {
      let fault = #expect(throws: TemplateFault.self) {
        try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame())
      }
      return String(decoding: PageRenderer.document(about: try #require(fault)), as: UTF8.self)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(copy.path)/sign-in.mustache",
      withDestinationPath: ProjectFolder.root
    )
    let link = try document()
    #expect(link.contains("<h1>The files cannot be read</h1>"))
    #expect(link.contains("sign-in.mustache: the link does not lead to a file of the folder"))
    try FileManager.default.removeItem(atPath: copy.path)
    let gone = try document()
    #expect(gone.contains("<h1>The files cannot be read</h1>"))
    #expect(gone.contains("\(copy.path): the folder cannot be read"))
  }

  @Test("a single template of your own replaces the built-in one, and the others stay")
  func oneTemplate() async throws {
    try await withTemporaryFolder { folder in
      try "{{<layout}}{{$content}}<p>Ours</p>{{/content}}{{/layout}}"
        .write(toFile: "\(folder)/sign-out.mustache", atomically: true, encoding: .utf8)
      let renderer = try PageRenderer(templates: folder)
      let frame = Fixture.frame()
      let ours = try HTML(renderer.html(SignOutPage(identifier: "ada"), in: frame))
      #expect(ours.all("p").contains { $0.text == "Ours" })
      #expect(ours.all("form").isEmpty)
      let others = try HTML(
        renderer.html(ForgotPasswordPage(instance: .unknown, identifier: nil), in: frame)
      )
      #expect(others.all("form").count == 1)
    }
  }

  @Test("a parent that lacks the blocks that others fill is named, also if those are built in")
  func unfitting() async throws {
    try await withTemporaryFolder { folder in
      let layout = "\(folder)/layout.mustache"
      for (text, words) in [
        ("", "\(layout): the template is empty"),
        (
          "<p>",
          "\(layout): the template has no block, and built-in templates/page.mustache fills content"
        ),
        (
          "{{$contents}}{{/contents}}",
          "built-in templates/page.mustache:2:1: layout has no block content, only contents: "
            + "see \(layout)"
        ),
      ] {
        try writeFile(text, to: layout)
        let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
        #expect(fault?.description == words)
      }
      try FileManager.default.removeItem(atPath: layout)
      // The built-in template has none: whoever takes it for a parent is at fault.
      let page = "\(folder)/sign-in.mustache"
      try writeFile("{{<partials/prose}}{{$x}}{{/x}}{{/partials/prose}}", to: page)
      let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
      #expect(
        fault?.description == "\(page):1:20: partials/prose has no block x: "
          + "see built-in templates/partials/prose.mustache"
      )
    }
  }

  @Test("a file that is not UTF-8, or has a NUL byte, is refused with the place of the byte")
  func notText() async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/sign-out.mustache"
      for (bytes, words) in [
        (Array("<p>é\nf".utf8) + [0xFC] + Array("r".utf8), ":2:2: the file is not UTF-8 text"),
        (Array("\u{FEFF}<p>\n é\0".utf8), ":2:3: a NUL byte is not text"),
      ] as [([UInt8], String)] {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
        #expect(fault?.description == file + words)
      }
    }
  }

  @Test("while files are read again, a fault reaches only what is written from that template")
  func reach() throws {
    let copy = try TemplateCopy()
    try copy.write("<p>{{word}}", to: "backstage/own.mustache")
    let renderer = try PageRenderer(templates: copy.path, watch: copy.watch)
    let tool = try renderer.templates("backstage/own", about: Sample.self)
    func page() throws -> [UInt8] {
      try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame())
    }
    func text() throws -> String {
      String(decoding: try tool.render(Sample(), by: "backstage/own"), as: UTF8.self)
    }
    for broken in ["{{#x}}", "{{nmae}}", "{{>nope}}"] {
      try copy.write(broken, to: "sign-in.mustache")
      #expect(throws: TemplateFault.self) { try page() }
      #expect(try text().hasPrefix("<p>---"))
      #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
      try FileManager.default.removeItem(atPath: "\(copy.path)/sign-in.mustache")

      try copy.write(broken, to: "backstage/own.mustache")
      #expect(throws: Never.self) { try page() }
      #expect(throws: TemplateFault.self) { try text() }
      try copy.write("<p>{{word}}", to: "backstage/own.mustache")
      #expect(try text().hasPrefix("<p>---"))
    }
    try copy.write("{{#x}}", to: "partials/unused.mustache")
    #expect(throws: Never.self) { try page() }
    #expect(try text().hasPrefix("<p>---"))
    #expect(throws: TemplateFault.self, "a start looks at every file") {
      try PageRenderer(templates: copy.path)
    }
  }

  @Test("a missing folder is named")
  func missing() throws {
    let none = #expect(throws: TemplateFault.self) { try PageRenderer(templates: "/nowhere") }
    #expect(none?.description == "/nowhere: the folder cannot be read")
  }

  @Test("changed templates are read again if that is asked for, and so is a fault in them")
  func reloading() throws {
    let copy = try TemplateCopy()
    let reloading = try PageRenderer(templates: copy.path, watch: copy.watch)
    let fixed = try PageRenderer(templates: copy.path)
    func text(_ renderer: PageRenderer) throws -> String {
      String(
        decoding: try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame()),
        as: UTF8.self
      )
    }
    let before = try text(fixed)
    #expect(try text(reloading).contains("<form"))
    try copy.write("<h1>New</h1>", to: "sign-out.mustache")
    // Some file systems keep times by the second only.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)],
      ofItemAtPath: "\(copy.path)/sign-out.mustache"
    )
    #expect(
      try text(reloading).hasPrefix("<h1>New</h1><script src=\"/public/reload.js\" data-version=")
    )
    #expect(try text(fixed) == before)
    try copy.write("{{{heading}}}", to: "sign-out.mustache")
    let fault = #expect(throws: TemplateFault.self) { try text(reloading) }
    #expect(fault?.reason == .unescapedValue)
    #expect(fault?.version == copy.watch.version)
    #expect(try text(fixed) == before, "its files are read only once")
    try FileManager.default.removeItem(atPath: "\(copy.path)/sign-out.mustache")
    #expect(try text(reloading).contains("<form"), "a mended template shows again")
  }

  @Test(
    "a template's changed words show at once while files are read again",
    arguments: ["en", "de"]
  )
  func rewording(_ language: String) throws {
    let copy = try TemplateCopy()
    let reloading = try PageRenderer(templates: copy.path, watch: copy.watch)
    let fixed = try PageRenderer(templates: copy.path)
    var frame = Fixture.frame()
    frame.language = try #require(LanguageTag(language))
    func skipLink(_ renderer: PageRenderer) throws -> String? {
      let html = try HTML(renderer.html(SignOutPage(identifier: "ada"), in: frame))
      return html.all("a").first { $0["class"] == "skip-link" }?.text
    }
    let before = try skipLink(fixed)
    #expect(try skipLink(reloading) == before)
    try copy.write(#"{"page.skip": "Hop & <skip>"}"#, to: "messages/\(language).json")
    #expect(try skipLink(reloading) == "Hop & <skip>")
    #expect(try skipLink(fixed) == before && before != nil, "its files are read only once")
  }

  @Test("a key of your own can be added, used and removed while files are read again")
  func addedKey() throws {
    let copy = try TemplateCopy()
    let renderer = try PageRenderer(templates: copy.path, watch: copy.watch)
    func html(_ language: String) throws -> String {
      var frame = Fixture.frame()
      frame.language = try #require(LanguageTag(language))
      return String(
        decoding: try renderer.html(SignOutPage(identifier: "ada"), in: frame),
        as: UTF8.self
      )
    }
    try copy.write(
      "{{<layout}}{{$content}}<b>{{@own.promo}}</b>{{/content}}{{/layout}}",
      to: "sign-out.mustache"
    )
    let fault = #expect(throws: TemplateFault.self) { try html("en") }
    #expect(
      fault?.description.hasSuffix(
        "sign-out.mustache:1:27: there is no message own.promo: messages/en.json does not have it"
      ) == true
    )
    try copy.write(#"{"own.promo": "Rooms"}"#, to: "messages/en.json")
    #expect(try html("en").contains("<b>Rooms</b>"))
    #expect(try html("de").contains("<b>Rooms</b>"))
    try copy.write(#"{"own.promo": "Zimmer"}"#, to: "messages/de.json")
    #expect(try html("de").contains("<b>Zimmer</b>"))
    try copy.write("{}", to: "messages/en.json")
    #expect(throws: TemplateFault.self) { try html("en") }
  }

  @Test("a page that reloads itself has its script at the end of the body; others have none")
  func script() throws {
    let copy = try TemplateCopy()
    func text(_ renderer: PageRenderer) throws -> String {
      String(
        decoding: try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame()),
        as: UTF8.self
      )
    }
    let script =
      #"<script src="/public/reload.js" data-version="\#(copy.watch.version)" defer></script>"#
    let watched = try text(PageRenderer(templates: copy.path, watch: copy.watch))
    #expect(watched.contains("\(script)</body>"))
    #expect(watched.replacing(script, with: "") == (try text(PageRenderer(templates: copy.path))))
  }

  @Test("a fault shows its line with a caret under the place, and is reported once")
  func excerpt() throws {
    let copy = try TemplateCopy()
    let reports = Locked<[String]>([])
    let renderer = try PageRenderer(
      templates: copy.path,
      watch: copy.watch,
      report: { fault in reports.withLock { $0.append(fault.description) } }
    )
    try copy.write("<p>\n\t<b>é</b> {{hading}}\n</p>", to: "sign-out.mustache")
    for _ in 0..<3 {
      let fault = #expect(throws: TemplateFault.self) {
        try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame())
      }
      #expect(fault?.excerpt?.text == "2 |  <b>é</b> {{hading}}\n              ^")
      let document = String(
        decoding: PageRenderer.document(about: try #require(fault)),
        as: UTF8.self
      )
      #expect(document.contains("sign-out.mustache:2:11: there is no name hading here"))
      #expect(document.contains("&lt;b&gt;é&lt;/b&gt; {{hading}}\n              ^</pre>"))
      #expect(document.contains("/public/reload.js"))
    }
    #expect(reports.withLock(\.count) == 1)
    try copy.write("{{#never}}", to: "sign-out.mustache")
    #expect(throws: TemplateFault.self) {
      try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame())
    }
    #expect(reports.withLock(\.count) == 2)
  }

  @Test("a long line is cut to the part around the place")
  func longLine() throws {
    let line = String(repeating: "x", count: 500) + "{{y}}" + String(repeating: "z", count: 500)
    let excerpt = try #require(SourceExcerpt(of: Array(line.utf8), at: .init(line: 1, column: 501)))
    let rows = excerpt.text.split(separator: "\n")
    #expect(rows[1].last == "^")
    #expect(rows[0].dropFirst(rows[1].count - 1).hasPrefix("{{y}}"))
    #expect(rows[0].hasPrefix("1 | …x") && rows[0].hasSuffix("z…"), "each cut is marked")
    #expect(rows[0].count < 80)
    #expect(rows[1].count <= 32, "a phone shows the caret without being scrolled")
    let short = SourceExcerpt(of: Array("<p>{{y}}</p>".utf8), at: .init(line: 1, column: 4))
    #expect(short?.text == "1 | <p>{{y}}</p>\n       ^")
    #expect(SourceExcerpt(of: Array(line.utf8), at: .init(line: 2, column: 1)) == nil)
  }
}
