/// The rules for first and last names.
enum PersonName {
  static let maximumLength = 256

  static func problem(in text: String, _ parameter: String) -> ClerkProblem? {
    if text.unicodeScalars.count > maximumLength {
      return ClerkProblem(
        "form_param_max_length_exceeded",
        "is too long",
        "\(parameter) must have at most \(maximumLength) characters.",
        parameter: parameter
      )
    }
    let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return hasControl ? .invalidValue(parameter) : nil
  }
}

extension String {
  /// Whether it is empty or white space only.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
