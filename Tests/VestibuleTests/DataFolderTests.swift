import Foundation
import Logging
import Testing
import TestSupport

@testable import Vestibule

@Suite("A data folder that cannot be used")
struct DataFolderTests {
  @Test(
    "may be tried again if the disk is full or does not answer, and otherwise not",
    arguments: [
      (ENOSPC, .unavailable), (EDQUOT, .unavailable), (EIO, .unavailable),
      (EACCES, .configuration), (EEXIST, .configuration), (nil, .configuration),
    ] as [(Int32?, StartFailure.Kind)]
  )
  func unmade(number: Int32?, kind: StartFailure.Kind) {
    let failure = StartFailure(making: "data", number)
    #expect(failure.kind == kind)
    #expect(failure.description.hasPrefix("The data folder cannot be created: data"))
  }

  @Test("is reported as not a folder if it is a file, or a link that leads nowhere")
  func noFolder() async throws {
    try await withTemporaryFolder { folder in
      let (file, link) = ("\(folder)/file", "\(folder)/link")
      try writeFile("", to: file)
      try FileManager.default.createSymbolicLink(
        atPath: link,
        withDestinationPath: "\(folder)/nowhere"
      )
      for path in [file, link] {
        let failure = #expect(throws: StartFailure.self) { try Configuration().makeFolder(path) }
        #expect(
          failure?.description
            == "The data folder cannot be created: \(path): it exists, but is not a folder"
            + ": --data names another, --in-memory keeps none"
        )
      }
    }
  }

  @Test("is reported with the path of its database and the system's reason, not in SQLite's words")
  func database() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/main.sqlite"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.dataFolder = folder
      let failure = #expect(throws: StartFailure.self) {
        try Composition(
          configuration,
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
      }
      #expect(failure?.kind == .configuration)
      #expect(
        failure?.description
          == "The emulator's data cannot be used: \(path): Is a directory"
      )
    }
  }

  @Test("is reported as shared by the second emulator that serves from it, not by the first")
  func shared() async throws {
    try await withTemporaryFolder { folder in
      var configuration = Configuration()
      configuration.dataFolder = folder
      let (first, second) = (LogRecorder(), LogRecorder())
      let own = try Composition(configuration, logger: first.logger)
      let other = try Composition(configuration, logger: second.logger)
      let told = "data folder shared folder=\(folder)"
      #expect(!first.lines.contains(told))
      #expect(second.lines.contains(told))
      own.closeWorlds(logger: first.logger)
      other.closeWorlds(logger: second.logger)
    }
  }

  @Test("is reported for a file where a folder is needed, not for what is usable or missing")
  func hindrances() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/main.sqlite"
      try writeFile("", to: path)
      #expect(NamedFile.hindrance(to: path) == nil)
      #expect(NamedFile.hindrance(to: folder, isFolder: true) == nil)
      #expect(NamedFile.hindrance(to: "\(folder)/none") == nil)
      #expect(NamedFile.hindrance(to: path, isFolder: true) == "Not a directory")
      #expect(NamedFile.hindrance(to: "\(path)/below") == "Not a directory")
    }
  }

  @Test(
    "is reported for a file or folder that may not be read or written",
    .enabled(if: geteuid() != 0, "the superuser is kept from nothing by a mode"),
    arguments: [(false, 0o400), (false, 0o200), (true, 0o500)] as [(Bool, mode_t)]
  )
  func forbidden(isFolder: Bool, mode: mode_t) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/main.sqlite"
      if isFolder {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } else {
        try writeFile("", to: path)
      }
      #expect(NamedFile.hindrance(to: path, isFolder: isFolder) == nil)
      chmod(path, mode)
      #expect(NamedFile.hindrance(to: path, isFolder: isFolder) == "Permission denied")
    }
  }
}
