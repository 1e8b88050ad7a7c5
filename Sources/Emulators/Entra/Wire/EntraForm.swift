internal import HTTPExchange

/// The fields of a call, read as the API reads them.
///
/// An empty field counts as one that was not sent.
/// Source: Microsoft, native authentication API reference.
struct EntraForm: Sendable {
  private let form: FormData

  /// - Throws: `invalid_request` if a field is repeated.
  init(_ form: FormData) throws(EntraRefusal) {
    var names: Set<String> = []
    if let repeated = form.fields.first(where: { !names.insert($0.name).inserted }) {
      throw .malformed("The parameter '\(repeated.name)' is repeated.")
    }
    self.form = form
  }

  /// The value; nil if it was not sent, or is empty.
  func text(_ name: String) -> String? {
    form[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a required field.
  ///
  /// - Throws: `invalid_request` 900144.
  func required(_ name: String) throws(EntraRefusal) -> String {
    guard let text = text(name) else { throw .missing(name) }
    return text
  }

  /// A list separated by spaces; nil if it was not sent.
  func list(_ name: String) -> [String]? {
    text(name)?.split(separator: " ").map(String.init)
  }
}
