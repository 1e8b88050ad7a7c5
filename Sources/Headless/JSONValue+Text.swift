package import AuthFlow
internal import Foundation

extension JSONValue {
  /// As JSON on one line, members in the order of their names.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values that were read from JSON can be written as JSON.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
