import Assets
import Foundation

@testable import Pages

/// A copy of the project's templates that a test may spoil; removed with the value.
final class TemplateCopy {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("vestibule-templates-\(UUID().uuidString)").path
    try FileManager.default.copyItem(atPath: Fixture.templates, toPath: path)
  }

  /// Tells when it has been changed.
  var watch: FileWatch { FileWatch([LayeredFiles(.templates, under: path)]) }

  deinit {
    // The folder is a temporary one: whatever is left of it does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
  }
}
