internal import AuthFlow
internal import Emulators
internal import HTTPExchange

/// How an auth API is asked what it is, before anybody signs in.
struct AuthAPISurvey: Sendable {
  /// What it has said of itself.
  struct Answer: Sendable {
    var heading: String
    var facts: [(name: String, value: String)]
    /// What these pages do not have of it, and do well without.
    var notes: [String] = []
    /// Why it would not serve these pages.
    var obstacles: [String] = []
  }

  let ask: @Sendable (any HTTPTransport) async throws(AuthError) -> Answer
  /// What a refusal of it means here.
  let obstacles: @Sendable (AuthError) -> [String]
}

// MARK: - In words

extension SignUpForm {
  /// What a sign-up asks for, by the API's own names.
  var askedFields: String {
    fields.filter { $0.field != .legalAccepted }
      .map { $0.isRequired ? $0.field.name : "\($0.field.name) (optional)" }.listed
  }

  /// Whether it asks for a tick, and for what.
  var consent: String {
    guard fields.contains(where: { $0.field == .legalAccepted }) else { return "not asked for" }
    guard !documents.isEmpty else { return "asked for" }
    return "asked for: \(documents.map { "\($0.kind.rawValue) \($0.address)" }.listed)"
  }
}

extension PasswordRules {
  /// What a new password needs.
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
  /// Cut, and without what a terminal would act upon.
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
  /// What a line says of a list.
  var listed: String { isEmpty ? "none" : map(\.printable).joined(separator: ", ") }
}
