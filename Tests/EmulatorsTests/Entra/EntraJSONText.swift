import Emulators
import Foundation

/// Reads JSON that a test writes as text.
func jsonText(_ text: String) throws -> JSON {
  try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
}

/// A folder of one's own, gone afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("vestibule-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder.path)
}
