import Assets
import Foundation
import Testing
import TestSupport

@Suite("Built-in files")
struct BuiltInFilesTests {
  /// The project's folders, and the built-in copy of each.
  private static let folders = [
    (ProjectFolder.templates, BuiltInFolder.templates),
    (ProjectFolder.publicFiles, BuiltInFolder.publicFiles),
  ]

  @Test(
    "every file of the project's folders is part of the program, byte for byte",
    arguments: folders
  )
  func complete(_ path: String, _ builtIn: BuiltInFolder) throws {
    let onDisk = try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    #expect(builtIn.fileNames.sorted() == onDisk.sorted(), "each has its lines in CAssets/files.c")
    for name in onDisk {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
      #expect(builtIn.bytes(of: name) == Array(bytes), "\(name)")
    }
  }

  @Test(
    "what every page loads stays small, without a build step",
    arguments: [("vestibule.js", 20), ("vestibule.css", 40)]
  )
  func small(_ name: String, _ limitKiB: Int) throws {
    let bytes = try #require(BuiltInFolder.publicFiles.bytes(of: name))
    #expect(bytes.count < limitKiB * 1024)
  }

  @Test("each colour and measure is set only once for light and once for dark")
  func tokens() throws {
    let bytes = try #require(BuiltInFolder.publicFiles.bytes(of: "vestibule.css"))
    let sheet = String(decoding: bytes, as: UTF8.self)
    let roots = sheet.matches(of: /(?m)^( *):root \{([^}]*)\}/)
    #expect(roots.count == 3, "light, dark, and more contrast")
    for root in roots {
      let names = root.output.2.matches(of: /(--[a-z-]+):/).map { $0.output.1 }
      #expect(Set(names).count == names.count)
    }
    let light = Set(try #require(roots.first).output.2.matches(of: /(--[a-z-]+):/).map(\.output.1))
    let dark = Set(roots[1].output.2.matches(of: /(--[a-z-]+):/).map(\.output.1))
    #expect(dark.isSubset(of: light))
  }

  @Test("there is no other file")
  func nothingElse() {
    #expect(BuiltInFolder.templates.bytes(of: "nothing.mustache") == nil)
    #expect(BuiltInFolder.templates.bytes(of: "../Public/vestibule.css") == nil)
    #expect(BuiltInFolder.publicFiles.bytes(of: "layout.mustache") == nil)
  }
}
