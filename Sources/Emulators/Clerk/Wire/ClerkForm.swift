internal import HTTPExchange

/// The fields of a call's form, read by the API's rules.
///
/// Source: <doc:ClerkTransport>.
struct ClerkForm: Sendable {
  private let form: FormData

  init(_ form: FormData) {
    self.form = form
  }

  var isEmpty: Bool { form.fields.isEmpty }

  var names: [String] { form.fields.map(\.name) }

  /// The first value, unchecked; nil if none was sent.
  func first(_ name: String) -> String? { form[name] }

  /// The value, nil where it was not sent.
  ///
  /// - Throws: `form_param_duplicate` if it came more than once.
  func text(_ name: String) throws(ClerkRefusal) -> String? {
    let values = form.values(of: name)
    guard values.count <= 1 else { throw .repeated(name) }
    return values.first
  }

  /// The value, nil where it was not sent or is empty.
  func filled(_ name: String) throws(ClerkRefusal) -> String? {
    let text = try text(name)
    return text?.isEmpty == true ? nil : text
  }

  /// The value of a required field.
  ///
  /// - Throws: `form_param_missing` where it was not sent, `form_param_nil` where it is empty.
  func required(_ name: String) throws(ClerkRefusal) -> String {
    guard let text = try text(name) else { throw .missing(name) }
    guard !text.isEmpty else { throw .empty(name) }
    return text
  }

  /// A boolean in either spelling, nil where it was not sent.
  ///
  /// - Throws: `form_param_nil` where it is empty, `form_param_value_invalid` where it is neither.
  func flag(_ name: String) throws(ClerkRefusal) -> Bool? {
    switch try text(name) {
    case nil: nil
    case "true", "1": true
    case "false", "0": false
    case "": throw .empty(name)
    case .some: throw .invalidValue(name)
    }
  }

  /// Refuses a `locale` that does not have the form of a BCP 47 language tag.
  func checkLocale() throws(ClerkRefusal) {
    guard let tag = try filled("locale") else { return }
    let subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isTag =
      subtags[0].utf8.allSatisfy(\.isASCIILetter)
      && (2...8).contains(subtags[0].utf8.count)
      && subtags.dropFirst().allSatisfy { subtag in
        (1...8).contains(subtag.utf8.count)
          && subtag.utf8.allSatisfy(\.isASCIILetterOrDigit)
      }
    guard isTag else {
      throw ClerkRefusal(
        422,
        ClerkProblem(
          "form_param_format_invalid",
          "is invalid",
          "The locale must be a language tag such as en-GB.",
          parameter: "locale"
        )
      )
    }
  }

  /// Refuses a field that is not among the names.
  func allowOnly(_ names: Set<String>) throws(ClerkRefusal) {
    guard let unknown = self.names.first(where: { !names.contains($0) }) else { return }
    throw .unknownParameter(unknown)
  }
}
