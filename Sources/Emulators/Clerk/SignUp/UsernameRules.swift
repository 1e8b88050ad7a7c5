/// The rules for usernames.
///
/// Source: <doc:ClerkErrorCodes>, <doc:ClerkInstanceSettings>.
enum UsernameRules {
  static let lengths = 4...64

  static func problem(in text: String) -> ClerkProblem? {
    func problem(_ code: String, _ message: String) -> ClerkProblem {
      ClerkProblem(code, message, parameter: "username")
    }
    let text = Contact.Kind.trimmed(text)
    guard lengths.contains(text.unicodeScalars.count) else {
      return problem(
        "form_username_invalid_length",
        "A username has \(lengths.lowerBound) to \(lengths.upperBound) characters."
      )
    }
    guard Contact.Kind.username.normalized(text) != nil else {
      return problem(
        "form_username_invalid_character",
        "A username has only letters, digits, - and _."
      )
    }
    let hasLetter = text.utf8.contains { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return hasLetter
      ? nil
      : problem("form_username_needs_non_number_char", "A username is not digits alone.")
  }
}
