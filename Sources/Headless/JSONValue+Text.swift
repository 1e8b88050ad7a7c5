package import AuthFlow
internal import Foundation

extension JSONValue {
  /// The value as JSON on one line, members sorted by name.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A value that was read from JSON can always be written as JSON.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
