internal import AuthFlow
internal import Spelling

/// Names beside which there are no others, so that a misspelt one makes a story invalid.
///
/// Some are those of Pages and of Emulators, which this room does not import: a test compares them.
package struct ClosedNames: Sendable {
  /// What each of them names, such as `page`.
  let kind: String
  package let all: [String]

  /// - Throws: `StoryFault` for a name that is none of them; it suggests the nearest, or lists all.
  func check(_ name: String, at place: String) throws(StoryFault) {
    guard !all.contains(name) else { return }
    let words =
      name.nearestName(among: all).map { "did you mean '\($0)'?" } ?? "there are \(all.listed)"
    throw StoryFault(place: place, reason: "there is no \(kind) '\(name)': \(words)")
  }
}

extension ClosedNames {
  /// The pages, and what ``PageSnapshot`` calls an address elsewhere.
  package static let pages = Self(
    kind: "page",
    all: [
      "account", "blocked", "continue", "error", "forgot-password", "forgot-password-code",
      "forgot-password-new", "forgot-password-waiting", "locked", "permissions", "sign-in",
      "sign-in-code", "sign-in-device", "sign-in-enrolment", "sign-in-link", "sign-in-methods",
      "sign-in-password", "sign-in-second-factor", "sign-in-second-factor-backup-code",
      "sign-in-second-factor-methods", "sign-out", "sign-up", "sign-up-continue", "sign-up-link",
      "sign-up-verify", "tasks-choose-organization", "tasks-reset-password", "tasks-setup-mfa",
      "elsewhere",
    ]
  )

  /// The steps of all pages but `error`, whose step is a status.
  package static let steps = Self(
    kind: "step",
    all: [
      "authenticator", "backup-code", "backup-codes", "blocked", "choose", "closed", "code",
      "contact", "continue", "create", "details", "identifier", "invitation", "joined", "link",
      "locked", "method", "new-password", "password", "permissions", "phone-number", "sign-out",
      "signed-in", "waiting", "redirect",
    ]
  )

  package static let flows = Self(
    kind: "flow",
    all: ["sign-in", "sign-up", "password-reset", "task", "session"]
  )

  package static let notices = Self(kind: "notice", all: Notice.allCases.map(\.rawValue))

  /// The purposes of messages.
  package static let purposes = Self(
    kind: "purpose",
    all: [
      "sign_in", "second_factor", "client_trust", "sign_up", "reset_password", "phone_number",
      "invitation",
    ]
  )

  /// How messages are sent.
  package static let channels = Self(kind: "channel", all: ["email", "sms"])

  /// The methods of calls to an auth API.
  package static let methods = Self(
    kind: "method",
    all: ["GET", "POST", "PUT", "PATCH", "DELETE"]
  )
}
