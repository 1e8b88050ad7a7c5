import Assets
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@testable import Site

@Suite("Static files")
struct StaticFileTests {
  @Test("a custom folder, with its subfolders, overrides the built-in files")
  func over() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("body {}", to: "\(folder)/vestibule.css")
      try writeFile("deep", to: "\(folder)/brand/pictures/door.webp")
      let files = try StaticFiles(under: folder)
      #expect(files.file(at: "/public/vestibule.css")?.bytes == Array("body {}".utf8))
      #expect(files.file(at: "/public/brand/pictures/door.webp")?.bytes == Array("deep".utf8))
      let script = try #require(files.file(at: "/public/vestibule.js"))
      #expect(script.bytes == BuiltInFolder.publicFiles.bytes(of: "vestibule.js"))
    }
  }

  @Test(
    "each kind of file has its type, however its ending is written",
    arguments: [
      ("a.woff2", "font/woff2"), ("a.webp", "image/webp"), ("a.jpg", "image/jpeg"),
      ("a.jpeg", "image/jpeg"), ("a.PNG", "image/png"), ("a.ico", "image/x-icon"),
      ("a.svg", "image/svg+xml"), ("a.css", "text/css; charset=utf-8"),
      ("a.min.js", "text/javascript; charset=utf-8"), ("a.txt", "text/plain; charset=utf-8"),
      ("a.webmanifest", "application/manifest+json"),
    ]
  )
  func types(_ name: String, _ type: String) async throws {
    try await withTemporaryFolder { folder in
      try writeFile("x", to: "\(folder)/\(name)")
      #expect(try StaticFiles(under: folder).file(at: "/public/\(name)")?.contentType == type)
    }
  }

  @Test(
    "nothing else is served",
    arguments: [
      "/public/notes.html", "/public/css", "/public/../secret.txt", "/public/brand/../a.txt",
      "/public//a.txt", "/public/%61.txt", "/public/.hidden.txt", "/public/", "/a.txt",
    ]
  )
  func nothingElse(_ path: Substring) async throws {
    try await withTemporaryFolder { place in
      let folder = "\(place)/public"
      for name in ["notes.html", "css", "../secret.txt", "a.txt", ".hidden.txt", "brand/b.txt"] {
        try writeFile("x", to: "\(folder)/\(name)")
      }
      for reloads in [false, true] {
        let files = try StaticFiles(under: folder, reloads: reloads)
        #expect(files.file(at: "/public/a.txt") != nil)
        #expect(files.file(at: path) == nil)
      }
    }
  }

  @Test("a link out of the folder is refused at the start")
  func link() async throws {
    try await withTemporaryFolder { place in
      try writeFile("secret", to: "\(place)/secret.txt")
      try writeFile("x", to: "\(place)/public/a.txt")
      try FileManager.default.createSymbolicLink(
        atPath: "\(place)/public/b.txt",
        withDestinationPath: "../secret.txt"
      )
      let fault = #expect(throws: FileFault.self) { try StaticFiles(under: "\(place)/public") }
      #expect(fault?.reason == .leadsOut)
    }
  }

  @Test("while files are read again, a link out of the folder is left out and reported once")
  func linkMeanwhile() async throws {
    try await withTemporaryFolder { place in
      let (file, link) = ("\(place)/public/a.txt", "\(place)/public/b.txt")
      try writeFile("secret", to: "\(place)/secret.txt")
      try writeFile("x", to: file)
      let reports = Locked<[FileFault]>([])
      let files = try StaticFiles(under: "\(place)/public", reloads: true) { fault in
        reports.withLock { $0.append(fault) }
      }
      for target in ["../secret.txt", "nowhere.txt"] {
        try FileManager.default.createSymbolicLink(
          atPath: link,
          withDestinationPath: target
        )
        for text in ["one", "two"] {
          try writeFile(text, to: file)
          #expect(files.file(at: "/public/a.txt")?.bytes == Array(text.utf8), "\(target)")
          #expect(files.file(at: "/public/b.txt") == nil, "\(target)")
        }
        try FileManager.default.removeItem(atPath: link)
        #expect(files.file(at: "/public/vestibule.css") != nil)
      }
      let faults = reports.withLock(\.self)
      #expect(faults.map(\.path) == [link, link])
      #expect(faults.allSatisfy { $0.reason == .leadsOut })
    }
  }

  @Test("if the folder can no longer be listed, the files that were there stay, and it is reported")
  func spoilt() async throws {
    try await withTemporaryFolder { place in
      try writeFile("x", to: "\(place)/public/a.txt")
      let reports = Locked<[FileFault]>([])
      let files = try StaticFiles(under: "\(place)/public", reloads: true) { fault in
        reports.withLock { $0.append(fault) }
      }
      try FileManager.default.removeItem(atPath: "\(place)/public")
      for _ in 1...2 {
        #expect(files.file(at: "/public/a.txt") != nil)
        #expect(files.file(at: "/public/vestibule.css") != nil)
      }
      let faults = reports.withLock(\.self)
      #expect(faults.map(\.reason) == [.unreadableFolder])
    }
  }

  @Test("a folder that is read again serves its files as they are now")
  func reloading() async throws {
    try await withTemporaryFolder { folder in
      try writeFile("old", to: "\(folder)/a.css")
      let fixed = try StaticFiles(under: folder)
      let reloading = try StaticFiles(under: folder, reloads: true)
      let before = try #require(reloading.file(at: "/public/a.css"))
      try writeFile("new", to: "\(folder)/a.css")
      let after = try #require(reloading.file(at: "/public/a.css"))
      #expect(after.bytes == Array("new".utf8))
      #expect(after.entityTag != before.entityTag)
      #expect(fixed.file(at: "/public/a.css")?.bytes == Array("old".utf8))
      try FileManager.default.removeItem(atPath: "\(folder)/a.css")
      #expect(reloading.file(at: "/public/a.css") == nil)
    }
  }

  @Test(
    "browsers find the icons that they request by themselves, and may ask for them conditionally",
    arguments: [
      ("/favicon.ico", "image/x-icon", [0, 0, 1, 0] as [UInt8]),
      ("/apple-touch-icon.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ]
  )
  func icons(_ path: String, _ type: String, _ signature: [UInt8]) async throws {
    let visitor = try TestSite().visitor()
    let icon = await visitor.open(path)
    #expect(icon.response.status == .ok)
    #expect(icon.header("Content-Type") == type)
    #expect(icon.header("X-Content-Type-Options") == "nosniff")
    #expect(icon.response.body.starts(with: signature))
    #expect(icon.response.body.count < 2_048)
    let tag = try #require(icon.response.headerFields[.eTag])
    let again = await visitor.open(path, [.ifNoneMatch: tag])
    #expect(again.response.status == .notModified)
  }

  @Test("fonts, pictures and manifests come from here alone (R6)")
  func policy() async throws {
    let page = await (try TestSite().visitor()).open("/sign-in")
    let policy = try #require(page.header("Content-Security-Policy"))
    for directive in ["font-src 'self'", "img-src 'self' data:", "manifest-src 'self'"] {
      #expect(policy.contains(directive))
    }
  }
}
