import Foundation
import Testing
import TestSupport

@testable import Assets

@Suite("Files that override the built-in ones")
struct LayeredFilesTests {
  private static func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  @Test("without a folder of your own, the built-in files are used")
  func builtIn() throws {
    let files = try LayeredFiles(.templates).all()
    #expect(files.map(\.name) == BuiltInFolder.templates.fileNames.sorted())
    let page = try #require(files.first { $0.name == "page.mustache" })
    #expect(page.place == "built-in templates/page.mustache")
    #expect(try page.bytes() == BuiltInFolder.templates.bytes(of: "page.mustache"))
  }

  @Test("a file of your own replaces the built-in one of its name, or is added")
  func over() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("ours", to: "\(folder)/partials/field.mustache")
      try writeFile("more", to: "\(folder)/brand/fonts/small.woff2")
      let files = try LayeredFiles(.templates, under: folder).all()
      #expect(files.count == BuiltInFolder.templates.fileNames.count + 1)
      let field = try #require(files.first { $0.name == "partials/field.mustache" })
      #expect(field.place == "\(folder)/partials/field.mustache")
      #expect(try field.bytes() == Array("ours".utf8))
      #expect(files.filter(\.isOwn).map(\.name) == ["brand/fonts/small.woff2", field.name])
    }
  }

  @Test("names that begin with a dot, and pipes, are left out")
  func leftOut() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("x", to: "\(folder)/.hidden.css")
      try writeFile("x", to: "\(folder)/.git/config")
      #expect(mkfifo("\(folder)/pipe.css", 0o600) == 0)
      #expect(try LayeredFiles(.publicFiles, under: folder).all().allSatisfy { !$0.isOwn })
    }
  }

  @Test("a link leads to a file of the folder, or is refused by name")
  func links() async throws {
    try await withTemporaryFolder { place in
      let folder = "\(place)/own"
      try writeFile("ours", to: "\(folder)/deep/a.css")
      try writeFile("secret", to: "\(place)/outside.css")
      try writeFile("secret", to: "\(place)/own-too/b.css")
      try Self.link("\(folder)/b.css", to: "deep/a.css")
      let files = LayeredFiles(.publicFiles, under: folder)
      let linked = try #require(try files.all().first { $0.name == "b.css" })
      #expect(try linked.bytes() == Array("ours".utf8))
      for target in ["../outside.css", "\(place)/own-too/b.css", "nothing.css", "deep", ".."] {
        try Self.link("\(folder)/c.css", to: target)
        let fault = #expect(throws: FileFault.self) { try files.all() }
        #expect(fault == FileFault(path: "\(folder)/c.css", reason: .leadsOut), "\(target)")
        var astray: [FileFault] = []
        let others = try files.all(besides: { astray.append($0) })
        #expect(others.filter(\.isOwn).map(\.name) == ["b.css", "deep/a.css"], "\(target)")
        #expect(astray == [FileFault(path: "\(folder)/c.css", reason: .leadsOut)], "\(target)")
        try FileManager.default.removeItem(atPath: "\(folder)/c.css")
      }
    }
  }

  @Test("a file that has gone, or become a folder, since it was listed is named")
  func gone() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/a.css"
      let files = LayeredFiles(.publicFiles, under: folder)
      try writeFile("ours", to: path)
      let file = try #require(try files.all().first { $0.name == "a.css" })
      #expect(try file.bytes() == Array("ours".utf8))
      try FileManager.default.removeItem(atPath: path)
      for isFolder in [false, true] {
        if isFolder {
          try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
          )
        }
        let fault = #expect(throws: FileFault.self) { try file.bytes() }
        #expect(fault == FileFault(path: path, reason: .unreadableFile))
      }
    }
  }

  @Test("a missing folder, or a file in its place, is named")
  func noFolder() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("x", to: "\(folder)/file")
      for path in ["\(folder)/nowhere", "\(folder)/file"] {
        let fault = #expect(throws: FileFault.self) {
          try LayeredFiles(.templates, under: path).all()
        }
        #expect(fault?.description == "\(path): the folder cannot be read")
      }
    }
  }

  @Test("the version changes when a file changes, comes or goes, and only then")
  func versions() async throws {
    try await withTemporaryFolder { folder in
      let files = LayeredFiles(.templates, under: folder)
      var seen = [files.version]
      func step(_ change: () throws -> Void) throws {
        #expect(files.version == seen.last)
        try change()
        #expect(!seen.contains(files.version))
        seen.append(files.version)
      }
      try step { try writeFile("one", to: "\(folder)/a.mustache") }
      try step { try writeFile("three", to: "\(folder)/a.mustache") }
      try step { try writeFile("deep", to: "\(folder)/partials/b.mustache") }
      try step {
        try FileManager.default.moveItem(
          atPath: "\(folder)/a.mustache",
          toPath: "\(folder)/c.mustache"
        )
      }
      try step { try Self.link("\(folder)/d.mustache", to: "nowhere") }
      try step { try writeFile("another", to: "\(folder)/c.mustache") }
      try step { try FileManager.default.removeItem(atPath: folder) }
      #expect(seen.allSatisfy { FileVersion($0.description) == $0 })
    }
  }

  @Test("a style sheet changes the second part of the version alone, and another file the first")
  func partsOfVersion() async throws {
    try await withTemporaryFolder { folder in
      let watch = FileWatch([
        LayeredFiles(.templates), LayeredFiles(.publicFiles, under: folder),
      ])
      func parts() -> [Substring] { "\(watch.version)".split(separator: "-") }
      for (name, changed) in [("deep/a.CSS", 1), ("b.css", 1), ("a.css.svg", 0), ("a.js", 0)] {
        let before = parts()
        try writeFile("x", to: "\(folder)/\(name)")
        let after = parts()
        #expect(before.count == 2 && after.count == 2)
        #expect(before[changed] != after[changed], "\(name)")
        #expect(before[1 - changed] == after[1 - changed], "\(name)")
      }
    }
    for text in ["", "1", "1-", "1-2-3", "x-1"] { #expect(FileVersion(text) == nil, "\(text)") }
    #expect(FileVersion("a-1f")?.description == "a-1f")
  }

  @Test("a wait ends with a change, or without one when its time is up")
  func waiting() async throws {
    try await withTemporaryFolder { folder in
      let watch = FileWatch([LayeredFiles(.templates, under: folder)])
      let before = watch.version
      #expect(try await watch.version(after: before, within: .zero) == nil)
      async let changed = watch.version(after: before, within: .seconds(60))
      try writeFile("new", to: "\(folder)/a.mustache")
      #expect(try await changed == watch.version)
    }
  }

  @Test("a file elsewhere is watched, too: when it comes, changes and goes")
  func further() async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/brand.json"
      let watch = FileWatch([LayeredFiles(.templates)], and: { [file] })
      var seen = [watch.version]
      for text in ["{}", "{ }", nil] {
        if let text {
          try writeFile(text, to: file)
        } else {
          try FileManager.default.removeItem(atPath: file)
        }
        #expect(watch.version != seen.last)
        seen.append(watch.version)
      }
      #expect(seen.first == seen.last)
    }
  }

  @Test("nobody is kept waiting by a program that is about to end", .timeLimit(.minutes(1)))
  func ending() async throws {
    let watch = FileWatch([LayeredFiles(.templates)], until: { true })
    #expect(try await watch.version(after: watch.version, within: .seconds(3600)) == nil)
  }

  @Test("no more wait at once than may, and waits that have ended make room")
  func crowded() async throws {
    let watch = FileWatch([LayeredFiles(.templates)])
    let known = watch.version
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0...FileWatch.waitingLimit {
        group.addTask {
          do {
            _ = try await watch.version(after: known, within: .seconds(60))
            return true
          } catch {
            return false
          }
        }
      }
      // The one too many is told so at once; the others wait until they are cancelled.
      #expect(try await group.next() == false)
      group.cancelAll()
      for try await isServed in group { #expect(isServed) }
    }
    #expect(try await watch.version(after: known, within: .zero) == nil)
  }
}
