internal import Pages

/// The state chart of the flows: each page, and what it leads to.
enum FlowMap {
  /// A page leads to another.
  struct Arrow: Hashable {
    /// The pages, by their names.
    var source: String
    var target: String
    /// The form that is sent, or the link, and the codes that the next page tells.
    var reason: String

    init(_ source: String, _ target: String, _ reason: String) {
      (self.source, self.target, self.reason) = (source, target, reason)
    }

    /// The first code of the first form, or the form where it may go without one; all of them stand
    /// beneath the chart.
    var shortReason: Substring {
      let words = reason.split { ":, ".contains($0) }
      guard let form = words.first, words.count > 1,
        reason.dropFirst(form.count).first == ":"
      else { return words.first ?? "" }
      // Of a code with a suberror the second says more.
      return words[1].split(separator: "/").last ?? words[1]
    }
  }

  /// The pages of each flow, its beginning first.
  static let flows: [(name: String, pages: [String])] = [
    (
      "Sign in",
      [
        "sign-in",
        "sign-in-password",
        "sign-in-methods",
        "sign-in-code",
        "sign-in-link",
        "sign-in-device",
        "sign-in-second-factor",
        "sign-in-second-factor-methods",
        "sign-in-second-factor-backup-code",
        "sign-in-enrolment",
        "permissions",
        "continue",
      ]
    ),
    (
      "Sign up",
      [
        "sign-up",
        "sign-up-verify",
        "sign-up-link",
        "sign-up-continue",
      ]
    ),
    (
      "Password reset",
      [
        "forgot-password",
        "forgot-password-code",
        "forgot-password-new",
        "forgot-password-waiting",
      ]
    ),
    (
      "Session",
      [
        "tasks-reset-password",
        "tasks-choose-organization",
        "tasks-setup-mfa",
        "account",
        "sign-out",
        "locked",
        "blocked",
      ]
    ),
  ]

  static func arrows(from page: String) -> [Arrow] { arrows.filter { $0.source == page } }

  /// Each is walked by a story, a walk to the atlas or a journey, and what those walk is here.
  ///
  /// No type says it: which step is next is the auth API's to decide.
  static let arrows: [Arrow] = [
    Arrow(
      "account",
      "sign-in",
      "get-token: sign_in_again, interaction_required/basic_action or sign-out: signed_out"
    ),
    Arrow("account", "sign-out", "sign-out"),
    Arrow("blocked", "sign-in", "sign-in"),
    Arrow("continue", "account", "finished"),
    Arrow("forgot-password", "forgot-password-code", "forgot-password: code_sent"),
    Arrow("forgot-password-code", "forgot-password-new", "code"),
    Arrow("forgot-password-new", "account", "new: password_changed"),
    Arrow("forgot-password-new", "forgot-password-waiting", "new"),
    Arrow("forgot-password-new", "sign-in-second-factor", "new: password_changed"),
    Arrow("forgot-password-waiting", "account", "check"),
    Arrow("locked", "sign-in", "sign-in or try-again"),
    Arrow("permissions", "account", "continue"),
    Arrow("permissions", "sign-in", "stop"),
    Arrow("sign-in", "account", "sign-in"),
    Arrow(
      "sign-in",
      "blocked",
      "sign-in: unauthorized_client/protection_policy_required or sign-in: user_banned"
    ),
    Arrow("sign-in", "continue", "sign-in"),
    Arrow("sign-in", "forgot-password", "forgot-password"),
    Arrow("sign-in", "locked", "sign-in: user_locked"),
    Arrow("sign-in", "permissions", "sign-in"),
    Arrow("sign-in", "sign-in-code", "sign-in: code_sent"),
    Arrow("sign-in", "sign-in-device", "sign-in: new_device, code_sent"),
    Arrow("sign-in", "sign-in-enrolment", "sign-in"),
    Arrow("sign-in", "sign-in-link", "sign-in: code_sent"),
    Arrow(
      "sign-in",
      "sign-in-methods",
      "sign-in: form_password_compromised or sign-in: form_password_pwned"
    ),
    Arrow("sign-in", "sign-in-password", "sign-in"),
    Arrow("sign-in", "sign-in-second-factor", "sign-in or sign-in: code_sent"),
    Arrow("sign-in", "sign-in-second-factor-methods", "sign-in"),
    Arrow("sign-in", "tasks-choose-organization", "sign-in"),
    Arrow("sign-in", "tasks-reset-password", "sign-in"),
    Arrow("sign-in", "tasks-setup-mfa", "sign-in"),
    Arrow("sign-in-code", "account", "code"),
    Arrow("sign-in-code", "sign-in", "restart"),
    Arrow("sign-in-code", "sign-in-methods", "methods"),
    Arrow("sign-in-code", "tasks-reset-password", "code"),
    Arrow("sign-in-device", "account", "device"),
    Arrow("sign-in-enrolment", "account", "enrolment"),
    Arrow("sign-in-link", "account", "continue"),
    Arrow("sign-in-methods", "forgot-password-code", "reset_password_email_code: code_sent"),
    Arrow("sign-in-methods", "sign-in-code", "email_code: code_sent"),
    Arrow("sign-in-methods", "sign-in-link", "email_link: code_sent"),
    Arrow("sign-in-methods", "sign-in-password", "password"),
    Arrow("sign-in-password", "forgot-password", "forgot-password"),
    Arrow("sign-in-password", "sign-in-methods", "methods"),
    Arrow("sign-in-second-factor", "account", "second-factor"),
    Arrow("sign-in-second-factor", "sign-in-second-factor-backup-code", "backup-code"),
    Arrow("sign-in-second-factor", "sign-in-second-factor-methods", "methods"),
    Arrow("sign-in-second-factor-backup-code", "account", "backup-code"),
    Arrow("sign-in-second-factor-methods", "sign-in-second-factor", "phone_code: code_sent"),
    Arrow("sign-out", "sign-in", "sign-out"),
    Arrow("sign-up", "sign-up-continue", "accept-invitation"),
    Arrow("sign-up", "sign-up-link", "sign-up: code_sent"),
    Arrow("sign-up", "sign-up-verify", "sign-up: code_sent"),
    Arrow("sign-up-continue", "account", "continue"),
    Arrow("sign-up-link", "account", "continue"),
    Arrow("sign-up-verify", "account", "verify"),
    Arrow("sign-up-verify", "sign-up", "change"),
    Arrow("sign-up-verify", "sign-up-continue", "verify"),
    Arrow("tasks-choose-organization", "account", "choose-organization or create-organization"),
    Arrow("tasks-choose-organization", "tasks-setup-mfa", "create-organization"),
    Arrow("tasks-reset-password", "account", "reset-password: password_changed"),
    Arrow("tasks-reset-password", "tasks-choose-organization", "reset-password: password_changed"),
    Arrow("tasks-setup-mfa", "account", "setup-mfa"),
  ]

  /// The chart, with the pages marked at whose paths the visitor stands, and the way that led there.
  static func content(
    standingAt places: [String],
    after way: WalkedWay
  ) -> WorkbenchContent {
    let lead =
      places.isEmpty
      ? "No attempt is under way in this browser."
      : "This browser stands at \(places.joined(separator: ", "))."
    let charts = flows.map {
      FlowChart(name: $0.name, pages: $0.pages, standingAt: places, after: way)
    }
    let lists = flows.map { flow in
      let items = flow.pages.map { page in
        let path = path(of: page)
        let isHere = places.contains(path)
        let ways = arrows(from: page).map { arrow in
          let walked = way.has(arrow) ? ", walked by this browser" : ""
          return "\(Self.path(of: arrow.target)) (\(arrow.reason)\(walked))"
        }
        return WorkbenchContent.Item(
          step: path,
          isCurrent: isHere,
          heading: path + (isHere ? " · you are here" : ""),
          address: FlowChart.address(of: page),
          about: .init(words: ways.isEmpty ? "" : "leads to \(ways.joined(separator: ", "))")
        )
      }
      return WorkbenchContent.List(heading: flow.name, items: items)
    }
    return WorkbenchContent(charts: charts, lead: [lead], lists: lists)
  }

  static func path(of page: String) -> String {
    Address.pages.first { $0.pageName == page }?.path ?? "/\(page)"
  }

  /// The chart in Mermaid's words.
  static var mermaid: String {
    let lines = arrows.map { arrow in
      let names = [arrow.source, arrow.target].map { $0.replacing("-", with: "_") }
      let reason = arrow.reason.replacing(":", with: " →")
      return "  \(names[0]) --> \(names[1]): \(reason)"
    }
    return (["stateDiagram-v2"] + lines).joined(separator: "\n") + "\n"
  }
}
