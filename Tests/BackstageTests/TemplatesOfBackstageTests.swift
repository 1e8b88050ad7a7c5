import Assets
import Backstage
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing

extension PageRenderer {
  /// The project's own templates.
  static func project() throws -> PageRenderer { try PageRenderer() }
}

@Suite("Templates of backstage")
struct TemplatesOfBackstageTests {
  @Test("no source of backstage writes markup or escapes it by hand")
  func noMarkup() throws {
    let markup =
      #/</?(?:a|b|body|button|code|d[dlt]|details|div|form|h[1-6]|head|html|input|label|li|link|main|meta|nav|ol|option|p|pre|section|select|span|strong|summary|time|title|ul)[ >]|HTMLText/#
    let folder = "Sources/Backstage"
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      #expect(source.firstMatch(of: markup) == nil, "\(file)")
    }
  }

  @Test("an unusable template of the workbench is reported with its place")
  func fault() async throws {
    let templates = FileManager.default.temporaryDirectory
      .appendingPathComponent("vestibule-workbench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: "\(templates)/backstage",
      withIntermediateDirectories: true
    )
    // The folder is a temporary one: whatever is left of it does no harm.
    defer { try? FileManager.default.removeItem(atPath: templates) }
    let client = try BackstageClient()
    let renderer = try PageRenderer(
      templates: templates,
      watch: FileWatch([LayeredFiles(.templates, under: templates)])
    )
    let workbench = try BackstagePages(worlds: client.worlds, renderer: renderer, secret: [1])
    let item = "\(templates)/backstage/item.mustache"
    try "<li>\n  {{.hading}}".write(toFile: item, atomically: true, encoding: .utf8)
    let page = await workbench.respond(
      to: Request(
        method: .get,
        target: "/backstage/map",
        headerFields: [.host: "localhost:8080"]
      )
    )
    #expect(page.status == .internalServerError)
    #expect(
      String(decoding: page.body, as: UTF8.self).contains("item.mustache:2:3: there is no name")
    )
    #expect(throws: TemplateFault.self) {
      try BackstagePages(worlds: client.worlds, renderer: renderer, secret: [1])
    }
    let example = try #require(PageExample.all.first)
    #expect(throws: Never.self) { try renderer.html(example.page, in: example.frame) }
  }
}
