import Emulators
import Foundation

/// Reads JSON that a test writes as text.
func jsonText(_ text: String) throws -> JSON {
  try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
}
