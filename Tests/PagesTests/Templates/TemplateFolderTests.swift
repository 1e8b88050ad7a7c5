import Foundation
import Testing

@testable import Pages

@Suite("A folder of templates")
struct TemplateFolderTests {
  @Test("what goes around the escaping is refused even where no page includes it (S17)")
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

  @Test("a missing template, and a missing folder, are named")
  func missing() throws {
    let copy = try TemplateCopy()
    try FileManager.default.removeItem(atPath: "\(copy.path)/page.mustache")
    let error = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
    #expect(error?.description == "\(copy.path)/page.mustache: the template is missing")
    let none = #expect(throws: TemplateFault.self) { try PageRenderer(templates: "/nowhere") }
    #expect(none?.file == "/nowhere")
  }

  @Test("changed templates are read again where that is asked for, and a fault is shown")
  func reloading() throws {
    let copy = try TemplateCopy()
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
    #expect(fault?.reason == .unescapedValue)
  }
}
