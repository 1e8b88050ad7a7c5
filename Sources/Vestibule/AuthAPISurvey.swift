internal import AuthFlow
internal import Emulators
internal import HTTPExchange

/// How to ask an auth API to describe itself, before anybody signs in.
struct AuthAPISurvey: Sendable {
  /// The API's description of itself.
  struct Answer: Sendable {
    var heading: String
    var facts: [(name: String, value: String)]
    /// Features of it that these pages lack and can do without.
    var notes: [String] = []
    /// Reasons why these pages would not work with it.
    var obstacles: [String] = []
  }

  let ask: @Sendable (any HTTPTransport) async throws(AuthError) -> Answer
  /// Explains a refusal by the API as obstacles.
  let obstacles: @Sendable (AuthError) -> [String]
}

// MARK: - In words

extension SignUpForm {
  /// The fields that a sign-up asks for, by the API's names.
  var askedFields: String {
    fields.filter { $0.field != .legalAccepted }
      .map { $0.isRequired ? $0.field.name : "\($0.field.name) (optional)" }.listed
  }

  /// Whether a sign-up asks for legal consent, and to which documents.
  var consent: String {
    guard fields.contains(where: { $0.field == .legalAccepted }) else { return "not asked for" }
    guard !documents.isEmpty else { return "asked for" }
    return "asked for: \(documents.map { "\($0.kind.rawValue) \($0.address)" }.listed)"
  }
}

extension PasswordRules {
  /// The requirements on a new password.
  var words: String {
    let length =
      maximumLength.map { "\(minimumLength) to \($0) characters" }
      ?? "at least \(minimumLength) characters"
    let classes = required.isEmpty ? "" : ", with \(required.map(\.rawValue).listed)"
    return length + classes + (classCount.map { ", of \($0) kinds" } ?? "")
  }
}

extension InstanceSettings {
  /// When an account is locked, and for how long.
  var lock: String {
    guard lockoutAttempts > 0 else { return "never" }
    let end = lockoutSeconds.map { "for \($0) seconds" } ?? "until someone unlocks"
    return "after \(lockoutAttempts) failures, \(end)"
  }
}

extension String {
  /// Cut to 200 characters, and without control characters that a terminal would act upon.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.prefix(200).map { scalar in
          scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format ? "?" : scalar
        }
      )
    )
  }
}

extension [String] {
  /// The list as part of a line.
  var listed: String { isEmpty ? "none" : map(\.printable).joined(separator: ", ") }
}
