import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Vestibule

@Suite("Atlas")
struct AtlasTests {
  /// What a document leads to: the values of its `href` and `src`.
  private static func references(in html: String) -> [String] {
    html.matches(of: #/(?:href|src)="([^"]*)"/#).map { String($0.output.1) }
  }

  @Test("the folder has every page in every state, and whatever they show is in it")
  func folder() async throws {
    try await withTemporaryFolder { path in
      let folder = URL(fileURLWithPath: path)
      let atlas = AtlasFolder(
        templates: ProjectFolder.templates,
        publicFolder: ProjectFolder.publicFiles
      )
      let (index, pageCount) = try atlas.write(to: folder.path)
      #expect(pageCount == PageExample.all.count)
      let list = try String(contentsOfFile: index, encoding: .utf8)
      for example in PageExample.all {
        #expect(list.contains("href=\"\(example.name).html\""), "\(example.name)")
        let page = folder.appendingPathComponent("\(example.name).html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(!html.contains("\"/public/"), "\(example.name)")
        let assets = Self.references(in: html).filter { $0.hasPrefix("../public/") }
        #expect(assets.count == 3, "\(example.name)")
        for asset in assets {
          let file = page.deletingLastPathComponent().appendingPathComponent(asset)
          #expect(FileManager.default.fileExists(atPath: file.standardized.path), "\(asset)")
        }
      }
      for reference in Self.references(in: list) where !reference.hasPrefix("#") {
        let file = folder.appendingPathComponent(reference)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(reference)")
      }
    }
  }

  @Test("a folder or templates that cannot be used are one clear refusal")
  func refusals() {
    let noTemplates = AtlasFolder(templates: "/nowhere", publicFolder: ProjectFolder.publicFiles)
    let noPlace = AtlasFolder(
      templates: ProjectFolder.templates,
      publicFolder: ProjectFolder.publicFiles
    )
    for (atlas, place) in [(noTemplates, "/tmp"), (noPlace, "/dev/null/atlas")] {
      let failure = #expect(throws: StartFailure.self) { try atlas.write(to: place) }
      #expect(failure?.kind == .configuration)
    }
  }

  @Test("backstage shows the same pages, and has no answer for what is not one of them")
  func backstage() throws {
    let pages = AtlasPages(Atlas(renderer: try PageRenderer(templates: ProjectFolder.templates)))
    func open(_ path: String, _ method: HTTPRequest.Method = .get) -> Response? {
      pages.answer(to: Request(method: method, target: path))
    }
    let list = String(decoding: try #require(open("/backstage/atlas")).body, as: UTF8.self)
    let links = Self.references(in: list).filter { $0.hasPrefix("/backstage/atlas/") }
    #expect(links.count == PageExample.all.count)
    for link in links { #expect(open(link)?.status == .ok, "\(link)") }
    for path in ["/backstage/atlas/nothing", "/backstage/atlasx", "/backstage/inbox"] {
      #expect(open(path) == nil, "\(path)")
    }
    #expect(open("/backstage/atlas", .post) == nil)
  }
}
