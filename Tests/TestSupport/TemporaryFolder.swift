import Foundation

/// Gives the body an empty folder of its own, which is gone afterwards.
package func withTemporaryFolder<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("vestibule-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// Writes a text into a file, and makes the folders that it lies in.
package func writeFile(_ text: String, to path: String) throws {
  let file = URL(fileURLWithPath: path)
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(),
    withIntermediateDirectories: true
  )
  try Data(text.utf8).write(to: file)
}

/// The folders that the project keeps beside its sources.
package enum ProjectFolder {
  /// `Tests/TestSupport/TemporaryFolder.swift` lies three levels below it.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  package static let templates = "\(root)/templates"
  package static let publicFiles = "\(root)/Public"
  /// What older programs left on disk, one file per migration.
  package static let schemas = "\(root)/Tests/Schemas"
}
