import Emulators
import Testing

/// Reads JSON that a test writes as text.
func jsonText(_ text: String) throws -> JSON {
  try #require(JSON(decoding: Array(text.utf8)))
}
