internal import Foundation

/// The details of a person, in the service's format.
enum AttributesJSON {
  /// `{"displayName":"Mara"}`: names and texts as one object, in their order.
  static func text(of members: [(name: String, value: String)]) -> String {
    let written = members.map { "\(quoted($0.name)):\(quoted($0.value))" }
    return "{\(written.joined(separator: ","))}"
  }

  private static func quoted(_ text: String) -> String {
    // A string can always be encoded.
    guard let data = try? JSONEncoder().encode(text) else { return "\"\"" }
    return String(decoding: data, as: UTF8.self)
  }
}
