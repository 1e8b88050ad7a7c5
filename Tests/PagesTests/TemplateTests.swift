import Foundation
import Mustache
import Testing
import TestSupport

@testable import Pages

@Suite("Templates")
struct TemplateTests {
  /// A copy of the project's templates that a test may spoil.
  private struct Copy {
    let path: String

    static func use(_ body: (Copy) throws -> Void) async throws {
      try await withTemporaryFolder { folder in
        let path = "\(folder)/templates"
        try FileManager.default.copyItem(atPath: ProjectFolder.templates, toPath: path)
        try body(Copy(path: path))
      }
    }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }
  }

  @Test(
    "what goes around the escaping is refused, with file and line (S17)",
    arguments: [
      ("<h1>{{{heading}}}</h1>", "line 2: unescaped values are not allowed"),
      ("{{&heading}}", "line 2: unescaped values are not allowed"),
      ("{{ & heading}}", "line 2: unescaped values are not allowed"),
      ("{{% CONTENT_TYPE:TEXT}}", "line 2: the content type is set by the loader"),
      ("{{=<% %>=}}", "line 2: delimiters cannot be changed"),
      ("{{>partials/gone}}", "line 2: there is no template partials/gone"),
      ("{{>*heading}}", "line 2: there is no template *heading"),
      ("{{<gone}}{{/gone}}", "line 2: there is no template gone"),
      ("{{heading", "line 2: a tag is not closed"),
    ]
  )
  func refused(_ text: String, _ fault: String) async throws {
    try await Copy.use { copy in
      try copy.write("<p>\n\(text)\n", to: "partials/odd.mustache")
      let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
      #expect(error?.description == "\(copy.path)/partials/odd.mustache: \(fault)")
    }
  }

  @Test("a template that cannot be parsed is named with its line")
  func unparsable() async throws {
    try await Copy.use { copy in
      try copy.write("<p>\n{{#heading}}\n", to: "error.mustache")
      let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
      #expect(error?.file == "\(copy.path)/error.mustache")
      #expect(error?.fault.hasPrefix("line ") == true)
    }
  }

  @Test("a missing template, and a missing folder, are named")
  func missing() async throws {
    try await Copy.use { copy in
      try FileManager.default.removeItem(atPath: "\(copy.path)/page.mustache")
      let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
      #expect(error?.description == "\(copy.path)/page.mustache: the template is missing")
      let none = #expect(throws: TemplateFault.self) { try PageRenderer(templates: "/nowhere") }
      #expect(none?.file == "/nowhere")
    }
  }

  @Test("changed templates are read again where that is asked for, and a fault is shown")
  func reloading() async throws {
    try await Copy.use { copy in
      let reloading = try PageRenderer(templates: copy.path, reloads: true)
      let fixed = try PageRenderer(templates: copy.path)
      func text(_ renderer: PageRenderer) throws -> String {
        String(
          decoding: try renderer.html(SignOutPage(identifier: "ada"), in: Fixture.frame()),
          as: UTF8.self
        )
      }
      let before = try text(reloading)
      try copy.write("<h1>New</h1>", to: "sign-out.mustache")
      // Some file systems keep times by the second only.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: "\(copy.path)/sign-out.mustache"
      )
      #expect(try text(reloading) == "<h1>New</h1>")
      #expect(try text(fixed) == before)
      try copy.write("{{{heading}}}", to: "sign-out.mustache")
      let fault = #expect(throws: TemplateFault.self) { try text(reloading) }
      #expect(fault?.fault.contains("unescaped values are not allowed") == true)
    }
  }

  @Test("every name in every template has a value on each page that uses it")
  func names() throws {
    var walk = try TemplateWalk(folder: Fixture.templates)
    for example in PageExample.all {
      walk.render(
        PageRenderer.defaultTemplate,
        PageView(Presentation(example.page, in: example.frame))
      )
    }
    #expect(walk.faults == [])
    #expect(walk.unused == [], "no example shows these")
  }
}
