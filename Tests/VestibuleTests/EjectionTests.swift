import Foundation
import Testing
import TestSupport

@testable import Vestibule

@Suite("Built-in files, written to a folder")
struct EjectionTests {
  @Test("every name that shells complete is accepted: of pages, folders and files")
  func names() throws {
    let names = Ejection.names
    for name in ["sign-in-password", "partials", "templates", "page.mustache", "vestibule.css"] {
      #expect(names.contains(name), "\(name)")
    }
    for name in names {
      #expect(throws: Never.self, "\(name)") { try Ejection([name]) }
    }
  }

  @Test("if one of their folders cannot be made, none is written and the reason is given")
  func none() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/public"
      try Data().write(to: URL(fileURLWithPath: path))
      let failure = #expect(throws: StartFailure.self) {
        try Ejection([]).write(to: folder, overwrites: false)
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description == "The files cannot be written to \(folder): File exists")
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      #expect(files.contains("public") && !files.contains { $0.hasSuffix(".mustache") })
    }
  }

  @Test("a file that was changed is named and kept, unless it is to be overwritten")
  func differing() async throws {
    try await withTemporaryFolder { folder in
      let ejection = try Ejection(["vestibule.css"])
      let path = "\(folder)/public/vestibule.css"
      #expect(try ejection.write(to: folder, overwrites: false) == .written([path]))
      #expect(try ejection.write(to: folder, overwrites: false) == .written([path]))
      let own = Data("mine".utf8)
      try own.write(to: URL(fileURLWithPath: path))
      #expect(try ejection.write(to: folder, overwrites: false) == .differing([path]))
      #expect(FileManager.default.contents(atPath: path) == own)
      #expect(try ejection.write(to: folder, overwrites: true) == .written([path]))
      #expect(FileManager.default.contents(atPath: path) != own)
    }
  }

  @Test("a name of nothing is refused, with the names of the pages")
  func unknown() {
    let failure = #expect(throws: StartFailure.self) { try Ejection(["sign-im"]) }
    #expect(failure?.kind == .usage)
    let words = "There is no built-in file or page of this name: sign-im. Pages are "
    #expect(failure?.description.hasPrefix(words) == true)
  }
}
