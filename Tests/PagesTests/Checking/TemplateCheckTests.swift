import Assets
import Foundation
import Testing
import TestSupport

@testable import Pages

@Suite("Checking templates")
struct TemplateCheckTests {
  /// A mistake in a template: its file, the text that it replaces, and the words that report it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var file: String
    var replaced: String
    var by: String
    var rule: String
    var words: String

    init(_ file: String, _ replaced: String, by: String = "", _ rule: String, _ words: String) {
      self.file = file
      self.replaced = replaced
      self.by = by
      self.rule = rule
      self.words = words
    }

    var testDescription: String { "\(rule): \(words)" }
  }

  static let assets = Set(BuiltInFolder.publicFiles.fileNames.map { "/public/\($0)" })

  @Test("the built-in templates keep every rule, on every page in every state")
  func builtIn() throws {
    let check = try TemplateCheck(templates: nil, assets: Self.assets)
    #expect(check.lines == [])
    #expect(check.stateCount == PageExample.all.count)
    #expect(check.pageCount == PageRenderer.pageNames.count)
  }

  @Test(
    "a mistake is one line per page: the file, the page, its states, the rule and what is wrong",
    arguments: [
      Mistake("layout", #" lang="{{language}}""#, "R4", "html has no lang"),
      Mistake("layout", #" dir="{{direction}}""#, "R4", "html has no dir"),
      Mistake("layout", "<h1>{{heading}}</h1>", "R4", "there are 0 h1"),
      Mistake("layout", "<h1>{{heading}}</h1>", by: "<h1></h1>", "R4", "h1 is empty"),
      Mistake("layout", "</body>", by: "<main></main></body>", "R4", "there are 2 main"),
      Mistake("layout", "<body>", by: "<body><style>p{}</style>", "R6", "<style> is inline"),
      Mistake("layout", "width=device-width", by: "user-scalable=no", "R4", "blocks zoom"),
      Mistake("layout", "width=device-width", by: "maximum-scale=1", "R4", "blocks zoom"),
      Mistake("layout", ##"href="#main""##, by: #"href="/""#, "R4", "does not skip to main"),
      Mistake(
        "layout",
        "<title>{{title}}</title>",
        by: "<title>Hi</title>",
        "R5",
        "the title is not"
      ),
      Mistake(
        "layout",
        "<body>",
        by: #"<body style="color: red">"#,
        "R6",
        "<body> has style"
      ),
      Mistake("layout", "<body>", by: "<body><script>go()</script>", "R6", "<script> is inline"),
      Mistake(
        "layout",
        "/public/vestibule.css",
        by: "https://cdn.example/a.css",
        "R6",
        "cdn.example"
      ),
      Mistake(
        "layout",
        "/public/vestibule.css",
        by: "/public/a.css",
        "R6",
        "no file /public/a.css"
      ),
      Mistake(
        "layout",
        "<body>",
        by: #"<body><p id="main">x</p>"#,
        "F2",
        "the id main is used twice"
      ),
      Mistake("layout", " data-page=\"{{page}}\"", "hook", "main has no data-page=\"sign-in\""),
      Mistake("layout", "{{#banner}}{{>partials/banner}}{{/banner}}", "E2", "is not shown"),
      Mistake("page", "{{#main}}{{>partials/form}}{{/main}}", "R7", "the form sign-in is missing"),
      Mistake(
        "page",
        "{{#main}}{{>partials/form}}{{/main}}",
        by: #"<div id="sign-in"></div>"#,
        "R7",
        "the form sign-in is missing"
      ),
      Mistake("partials/form", " method=\"post\"", "R7", "does not post to /sign-in"),
      Mistake(
        "partials/form",
        #"action="{{.action}}""#,
        by: #"action="/sign-out""#,
        "R7",
        "does not post to /sign-in"
      ),
      Mistake("partials/form", " novalidate", "R7", "has no novalidate"),
      Mistake("partials/form", #"value="{{.token}}""#, "R7", "not have its token"),
      Mistake("partials/form", #"type="submit""#, by: #"type="button""#, "R7", "one submit button"),
      Mistake("partials/form", #" data-action="{{.purpose}}""#, "hook", "has no data-action"),
      Mistake("partials/form", "{{>partials/field}}", "F11", "the field password is missing"),
      Mistake("partials/field", #"<label for="{{.id}}">{{.label}}</label>"#, "F1", "has no label"),
      Mistake(
        "partials/form",
        "{{>partials/field}}",
        by: #"{{>partials/field}}<input name="news">"#,
        "F1",
        "the added field news has no label"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<img src="/public/favicon.svg"><h1>"#,
        "F1",
        "the picture /public/favicon.svg has no alt"
      ),
      Mistake("layout", "<h1>", by: #"<a href="/"><svg></svg></a><h1>"#, "F1", "<a> has no words"),
      Mistake("layout", "<h1>", by: #"<a href="/"> </a><h1>"#, "F1", "<a> has no words"),
      Mistake(
        "layout",
        "<h1>",
        by: #"<button type="button"></button><h1>"#,
        "F1",
        "<button> has no"
      ),
      Mistake("partials/field", #" data-field="{{.name}}""#, "hook", "has no data-field"),
      Mistake("partials/field", #" type="{{.type}}""#, "R9", "the field password shows"),
      Mistake("partials/field", #" autocomplete="{{.autocomplete}}""#, "F7", "has no autocomplete"),
      Mistake("partials/field", #" value="{{.value}}""#, "F5", "is not shown again"),
      Mistake("partials/field", " autofocus", by: " disabled", "F6", "is disabled"),
      Mistake("partials/field", " autofocus", by: " readonly", "F6", "is read-only"),
      Mistake("partials/field", " autofocus", by: #" maxlength="6""#, "F7", "cuts or refuses"),
      Mistake("partials/field", #" aria-invalid="true""#, "F3", "in error without aria-invalid"),
      Mistake("partials/field", #" aria-describedby="{{.describedBy}}""#, "F2", "not described"),
      Mistake("partials/field", "{{>partials/explanation}}", "F2", "which does not exist"),
      Mistake("partials/field", "{{>partials/explanation}}", "E1", "is not shown at the field"),
      Mistake(
        "partials/error-summary",
        ##"href="#{{.target}}""##,
        by: #"href="/""#,
        "E5",
        "no summary"
      ),
      Mistake("partials/error-summary", "<div role", by: "<div autofocus role", "E7", "autofocus"),
      Mistake("partials/notices", " data-notice=\"{{.code}}\"", "N1", "is not shown"),
      Mistake("partials/links", "{{>partials/link}}", "hook", "no link leads to"),
      Mistake("partials/links", "<ul", by: "<li><ul", "HTML", "<li> is open where </nav> comes"),
      Mistake("layout", "</html>", by: "</html></p>", "HTML", "</p> closes nothing"),
      Mistake(
        "layout",
        "<h1>",
        by: #"<img alt="" srcset="/public/favicon.svg 1x,/public/a.png 2x"><h1>"#,
        "R6",
        "no file /public/a.png"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<img alt="" srcset="/public/favicon.svg, /public/a.png 2x"><h1>"#,
        "R6",
        "no file /public/a.png"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: ##"<svg><use href="/public/sprite.svg#a"></use></svg><h1>"##,
        "R6",
        "no file /public/sprite.svg#a"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<form action="https://list.example/sub"></form><h1>"#,
        "R6",
        "leads to https://list.example/sub"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<a href=" JavaScript:history.back()">Back</a><h1>"#,
        "R6",
        "href of <a> has javascript:"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<img src="/public/my%20hero.png" alt=""><h1>"#,
        "R6",
        "/public/my%20hero.png is not served: names are ASCII without spaces and \" # % <"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: #"<img src="/public/hero.gif" alt=""><h1>"#,
        "R6",
        "/public/hero.gif is not served: names end in css"
      ),
      Mistake(
        "layout",
        "<h1>",
        by: "<p>{@support.heading}</p><h1>",
        "words",
        "“{@support.heading}” is shown as it is written"
      ),
      Mistake("layout", "<h1>", by: "<p>A {{heading}}}}</p><h1>", "words", "“}}” is shown"),
      Mistake("layout", "<h1>", by: "<p>{heading}</p><h1>", "words", "“{heading}” is shown"),
      Mistake(
        "layout",
        "<h1>",
        by: "<p>&lt;A href=&quot;/&quot;&gt;</p><h1>",
        "words",
        "“<A href=\"/\">” is shown"
      ),
      Mistake("layout", "<h1>", by: "<p>&lt;b&gt; there</p><h1>", "words", "“<b>” is shown"),
      Mistake("layout", "<h1>", by: "<p>Q&amp;amp;A</p><h1>", "words", "“&amp;” is shown"),
    ]
  )
  func finds(_ mistake: Mistake) async throws {
    try await withTemporaryFolder { folder in
      let name = "\(mistake.file).mustache"
      let text = String(
        decoding: try #require(BuiltInFolder.templates.bytes(of: name)),
        as: UTF8.self
      )
      #expect(text.contains(mistake.replaced), "the template still has what is replaced")
      let file = URL(fileURLWithPath: "\(folder)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try text.replacing(mistake.replaced, with: mistake.by)
        .write(to: file, atomically: true, encoding: .utf8)
      let check = try TemplateCheck(templates: folder, assets: Self.assets)
      let found = check.lines.filter {
        $0.contains(" \(mistake.rule): ") && $0.contains(mistake.words)
      }
      #expect(!found.isEmpty, "\(check.lines.prefix(3))")
      for line in found {
        let place = /: [a-z-]+ \([a-z0-9_-]+( and [0-9]+ more)?\): [A-Za-z0-9]+: .+/
        #expect(line.hasPrefix("\(file.path): ") && line.contains(place), "\(line)")
      }
      #expect(Set(found).count == found.count)
    }
  }

  @Test(
    "a viewport blocks zoom unless it lets people make everything twice as large (R4)",
    arguments: [
      ("width=device-width, initial-scale=1", false), ("", false), ("user-scalable=yes", false),
      ("maximum-scale=5, user-scalable=1", false), ("maximum-scale=2.0", false),
      ("maximum-scale=-1", false), ("maximum-scale=device-height", false),
      ("user-scalable=no", true), ("User-Scalable = NO", true),
      ("width=device-width;user-scalable=0", true), ("user-scalable=never", true),
      ("maximum-scale=1.9", true), ("initial-scale=1 maximum-scale=1", true),
      ("maximum-scale=yes", true),
    ]
  )
  func zoom(viewport: String, isBlocked: Bool) {
    #expect(Inspection.blocksZoom(viewport) == isBlocked)
  }

  @Test("markup that is not well formed is reported once, however many pages show it")
  func malformed() throws {
    let copy = try TemplateCopy()
    let layout = String(
      decoding: try #require(BuiltInFolder.templates.bytes(of: "layout.mustache")),
      as: UTF8.self
    )
    try copy.write(
      layout.replacing("<h1>", with: #"<div class="hero"><h1>"#),
      to: "layout.mustache"
    )
    let lines = try TemplateCheck(templates: copy.path, assets: Self.assets).lines
    let words = #"HTML: <div class="hero"> is open where </main> comes"#
    let others = PageRenderer.pageNames.count - 1
    #expect(lines.count == 1)
    let end = "\(words); the same on \(others) more pages"
    #expect(lines.first?.hasSuffix(end) == true, "\(lines)")
  }

  @Test("a custom style sheet may ask only for files that are served here (R6)")
  func styleSheets() async throws {
    try await withTemporaryFolder { folder in
      let place = "\(folder)/css/own.css"
      try writeFile(
        """
        /* url(https://example.com/commented.png) */
        @import "https://fonts.example/a.css";
        @font-face { font-family: X; src: url(fonts/nope.woff2) }
        .a { background: url('../favicon.svg#x') } .b { mask: URL( "data:image/png;base64,AA" ) }
        .c { background: url(https://example.com/x.png); mask: url(/public/hero.avif) }
        .d { filter: url(#blur); cursor: url() }
        """,
        to: place
      )
      let check = try TemplateCheck(templates: nil, assets: Self.assets, publicFolder: folder)
      let starts = [
        "2:1: R6: the style sheet asks for https://fonts.example/a.css, not below /public/",
        "3:35: R6: there is no file fonts/nope.woff2",
        "5:18: R6: the style sheet asks for https://example.com/x.png, not below /public/",
        "5:56: R6: /public/hero.avif is not served: names end in css, ",
      ]
      #expect(check.lines.count == starts.count, "\(check.lines)")
      for (line, start) in zip(check.lines, starts) {
        #expect(line.hasPrefix("\(place):\(start)"))
      }
    }
  }

  @Test("a brace of a style sheet without its counterpart is reported with its place")
  func braces() async throws {
    try await withTemporaryFolder { folder in
      let place = "\(folder)/own.css"
      for (text, complaint) in [
        (".card { color: red;\n.x{{}", ":1:7: CSS: this { is not closed"),
        ("p { }\n} a { }", ":2:1: CSS: this } closes nothing"),
        ("@media print {\n p { color: red }\n", ":1:14: CSS: this { is not closed"),
        ("p { } /* { */ a::after { content: \"{\" '}' } .w\\{2\\} { & b { } }", nil),
      ] as [(String, String?)] {
        try writeFile(text, to: place)
        let check = try TemplateCheck(templates: nil, assets: Self.assets, publicFolder: folder)
        #expect(check.lines == (complaint.map { ["\(place)\($0)"] } ?? []))
      }
    }
  }

  @Test("a style sheet that is not UTF-8 is reported")
  func encoding() async throws {
    try await withTemporaryFolder { folder in
      let place = "\(folder)/own.css"
      try writeFile("p {}", to: place)
      try Data(Array("p {} /* ".utf8) + [0xFC] + Array(" */".utf8))
        .write(to: URL(fileURLWithPath: place))
      let check = try TemplateCheck(templates: nil, assets: Self.assets, publicFolder: folder)
      #expect(check.lines == ["\(place): CSS: the file is not UTF-8 text"])
    }
  }

  @Test("a static file that is never served is noted with the reason, and breaks no rule")
  func unserved() async throws {
    try await withTemporaryFolder { folder in
      let names = [
        "a.svg", "fonts/a.ttf", "fonts/\u{FC}.css", "keep.bak", "licence", "my file.css",
        "ok.WOFF2", ".hidden file",
      ]
      for name in names { try writeFile("", to: "\(folder)/\(name)") }
      let check = try TemplateCheck(templates: nil, assets: Self.assets, publicFolder: folder)
      let (ending, signs) = ("names end in css, ", "names are ASCII without spaces and ")
      let starts = [
        ("fonts/a.ttf", ending), ("fonts/\u{FC}.css", signs), ("keep.bak", ending),
        ("licence", ending), ("my file.css", signs),
      ]
      #expect(check.lines == [])
      #expect(check.notes.count == starts.count, "\(check.notes)")
      for (note, (name, reason)) in zip(check.notes, starts) {
        #expect(note.hasPrefix("\(folder)/\(name): is not served: \(reason)"), "\(note)")
      }
    }
  }

  @Test("an address in a style sheet that browsers do not load is not checked")
  func namedInStyleSheets() async throws {
    try await withTemporaryFolder { folder in
      let place = "\(folder)/own.css"
      try writeFile(
        #"""
        @namespace svg url(http://www.w3.org/2000/svg);
        @font-face { src: local("X"), url(x.woff2) format("woff2"), url("x.woff") format("woff") }
        .a::after { content: "url(no.png) \"" 'url(no.png)'; quotes: "/*" "*/" }
        @font-face { src: url(x.woff) format("woff"), url(x.woff2); --x: url(x.ttf) }
        .b { --x: "/*"; background: url(gone.png) } /* url(no.png) " */
        @import/**/'gone.css';
        """#,
        to: place
      )
      let check = try TemplateCheck(
        templates: nil,
        assets: Self.assets.union(["/public/x.woff2"]),
        publicFolder: folder
      )
      let starts = [
        "4:19: R6: x.woff is not served: names end in css, ",
        "4:66: R6: x.ttf is not served: names end in css, ",
        "5:29: R6: there is no file gone.png",
        "6:1: R6: there is no file gone.css",
      ]
      #expect(check.lines.count == starts.count, "\(check.lines)")
      for (line, start) in zip(check.lines, starts) {
        #expect(line.hasPrefix("\(place):\(start)"), "\(line)")
      }
    }
  }

  @Test("markup characters that are meant to be read break no rule")
  func deliberate() throws {
    let copy = try TemplateCopy()
    let added = #"""
      <p>Press <kbd>{Enter}</kbd> or {Esc}, and write to &lt;name&gt;@example.com, R&amp;D; 1 &lt; 2 &gt; 0.</p>
      <samp>{heading}</samp> <pre><span>&lt;b&gt;</span></pre>
      <textarea name="note" aria-label="Note">Q&amp;amp;A</textarea><h1>
      """#
    let layout = String(
      decoding: try #require(BuiltInFolder.templates.bytes(of: "layout.mustache")),
      as: UTF8.self
    )
    try copy.write(layout.replacing("<h1>", with: added), to: "layout.mustache")
    #expect(try TemplateCheck(templates: copy.path, assets: Self.assets).lines == [])
  }

  @Test("the file endings that messages list are those that the site serves")
  func endings() throws {
    let source = try String(
      contentsOfFile: "\(Fixture.sources)/Site/Edge/StaticFiles.swift",
      encoding: .utf8
    )
    let served = source.matches(of: /"([a-z0-9]+)": "[a-z]+\//).map { String($0.output.1) }
    #expect(served.sorted() == ServedFiles.endings)
  }

  @Test("sentences that a new language leaves in English are noted, and break no rule")
  func gaps() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(#"{"sign-in.heading": "כניסה"}"#, to: "\(folder)/messages/he.json")
      try writeFile(#"{"sign-in.heading": "Hallo"}"#, to: "\(folder)/messages/de.json")
      let check = try TemplateCheck(templates: folder, assets: Self.assets)
      let count = PhraseKey.allKeys.count
      #expect(check.lines == [])
      #expect(check.notes.count == 1)
      #expect(
        check.notes.first?.hasPrefix(
          "\(folder)/messages/he.json: \(count - 1) of \(count) sentences are in English: "
        ) == true
      )
    }
  }

  @Test("pages are checked in each language whose words were changed, and its file is named")
  func languages() async throws {
    try await withTemporaryFolder { folder in
      let (english, dutch) = ("\(folder)/messages/en.json", "\(folder)/messages/nl.json")
      let words =
        #"{"sign-in.heading":"", "action.sign-in":"<b>In</b>", "field.label.password":""}"#
      try writeFile(words, to: dutch)
      let lines = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(lines.allSatisfy { $0.hasPrefix(dutch) })
      let empty = "the text is empty, and the English one is not"
      #expect(lines.first == "\(dutch):1:20: sign-in.heading: \(empty)")
      for part in [
        ": action.sign-in: “<b>” is shown as it is written", ": field.label.password: \(empty)",
        ": R4: h1 is empty", ": F1: the field password has no label",
      ] { #expect(lines.contains { $0.contains(part) }, "\(part)") }
      #expect(!lines.contains { $0.contains(": words: ") }, "its place is told already")

      try writeFile(#"{"sign-in.heading":"Aanmelden"}"#, to: dutch)
      try writeFile(#"{"sign-in.heading":""}"#, to: english)
      let ownEnglish = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(!ownEnglish.isEmpty && ownEnglish.allSatisfy { $0.hasPrefix(english) })
    }
  }

  @Test("a template's mistake is not repeated for each language")
  func onceForLanguages() throws {
    let copy = try TemplateCopy()
    try copy.write(#"{"sign-in.heading":"Se connecter"}"#, to: "messages/fr.json")
    #expect(try TemplateCheck(templates: copy.path, assets: Self.assets).lines == [])
    let layout = String(
      decoding: try #require(BuiltInFolder.templates.bytes(of: "layout.mustache")),
      as: UTF8.self
    )
    try copy.write(
      layout.replacing("<title>{{title}}</title>", with: "<title>Hi</title>"),
      to: "layout.mustache"
    )
    let lines = try TemplateCheck(templates: copy.path, assets: Self.assets).lines
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("\(copy.path)/layout.mustache: ") })
  }

  @Test("an element named by an attribute, or by a picture in it, breaks no rule")
  func named() throws {
    let copy = try TemplateCopy()
    let added = #"""
      <input type="search" name="q" aria-label="Search">
      <a href="/"><svg role="img" aria-label="Home"></svg></a>
      <button type="button"><img src="/public/favicon.svg" alt="Help"></button>
      <label for="news">News</label><input id="news" name="news">
      <!-- An anchor without words leads nowhere. --><a id="top"></a><br/><h1>
      """#
    let layout = String(
      decoding: try #require(BuiltInFolder.templates.bytes(of: "layout.mustache")),
      as: UTF8.self
    )
    try copy.write(layout.replacing("<h1>", with: added), to: "layout.mustache")
    #expect(try TemplateCheck(templates: copy.path, assets: Self.assets).lines == [])
  }

  @Test("if one template was changed, every line names that template")
  func changed() throws {
    let copy = try TemplateCopy()
    try copy.write("<p>", to: "partials/form.mustache")
    let lines = try TemplateCheck(templates: copy.path, assets: Self.assets).lines
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("\(copy.path)/partials/form.mustache: ") })
  }

  @Test("an unknown name is reported with its place, and ends the check")
  func unknownName() async throws {
    try await withTemporaryFolder { folder in
      try "<p>\n{{nmae}}".write(
        toFile: "\(folder)/sign-in.mustache",
        atomically: true,
        encoding: .utf8
      )
      let lines = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(lines.count == 1)
      #expect(lines[0].hasPrefix("\(folder)/sign-in.mustache:2:1: there is no name nmae here"))
    }
  }

  @Test("a template that no page uses is reported, unless it is backstage's")
  func unused() async throws {
    try await withTemporaryFolder { folder in
      try "<p>".write(toFile: "\(folder)/sing-in.mustache", atomically: true, encoding: .utf8)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/backstage",
        withIntermediateDirectories: true
      )
      try "<p>".write(toFile: "\(folder)/backstage/own.mustache", atomically: true, encoding: .utf8)
      let lines = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(
        lines == ["\(folder)/sing-in.mustache: no page has this name, and no template includes it"]
      )
    }
  }

  @Test("a file whose name suggests that it is read is reported; one for people is not")
  func unread() async throws {
    try await withTemporaryFolder { folder in
      func write(_ text: [UInt8], to name: String) throws {
        let file = URL(fileURLWithPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data(text).write(to: file)
      }
      for name in [
        "messages/nl.JSON", "messages/de", "sign-in.html", "partials/field.Mustache", "ways.json",
        "README.md", "messages/README.md", "messages/de.json~", "stories/own.json",
        "brands/own/brand.json", "palette.json",
      ] { try write(Array("{}".utf8), to: name) }
      try write(try #require(BuiltInFolder.templates.bytes(of: "stands.json")), to: "stands.json")
      let lines = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(
        lines == [
          "\(folder)/messages/de: is not read: words are read from messages/LANGUAGE.json",
          "\(folder)/messages/nl.JSON: is not read: words are read from messages/LANGUAGE.json",
          "\(folder)/partials/field.Mustache: is not read: a template's name must end in .mustache",
          "\(folder)/sign-in.html: is not read: a template's name must end in .mustache",
          "\(folder)/ways.json: is not read: the built-in one is always used",
        ]
      )
    }
  }

  @Test("a file of words in the wrong place is reported, and other JSON is not")
  func misplacedWords() async throws {
    try await withTemporaryFolder { folder in
      let misplaced = [
        "de.json", "message/en.json", "messages/en.txt", "messages/nl.txt", "words/ours.JSON",
      ]
      for name in misplaced {
        try writeFile(#"{"sign-in.heading": "Welcome back"}"#, to: "\(folder)/\(name)")
      }
      for name in ["brand.json", "zap.json", "messages/notes.txt", "messages/de.json.bak"] {
        try writeFile(#"{"name": "Zap", "colors": {}, "radius": 4}"#, to: "\(folder)/\(name)")
      }
      let lines = try TemplateCheck(templates: folder, assets: Self.assets).lines
      #expect(
        lines
          == misplaced.map {
            "\(folder)/\($0): is not read: words are read from messages/LANGUAGE.json"
          }
      )
    }
  }

  @Test("another program's words are not reported, nor a file name that looks like a language")
  func wordsOfOthers() async throws {
    try await withTemporaryFolder { folder in
      for name in ["messages/faq.txt", "messages/new.txt", "messages/how-to.txt", "messages/nl"] {
        try writeFile("Ask the help desk first.", to: "\(folder)/\(name)")
      }
      for name in ["locales/de.json", "en.json", "palette.json"] {
        try writeFile(
          #"{"cart.title": "Korb", "error.color": "red", "own.word": "a", "message.sent": "b"}"#,
          to: "\(folder)/\(name)"
        )
      }
      #expect(try TemplateCheck(templates: folder, assets: Self.assets).lines == [])
      // Once a language has a file of words, other files with its name are reported.
      try writeFile(#"{"sign-in.heading": "Aanmelden"}"#, to: "\(folder)/messages/nl.json")
      #expect(
        try TemplateCheck(templates: folder, assets: Self.assets).lines
          == ["\(folder)/messages/nl: is not read: words are read from messages/LANGUAGE.json"]
      )
    }
  }

  @Test("a missing folder is an error, not a finding")
  func noFolder() {
    #expect(throws: TemplateFault.self) {
      try TemplateCheck(templates: "/nowhere", assets: Self.assets)
    }
  }
}
