/// The state chart of the flows: each step, and what it may lead to.
enum FlowMap {
  struct Step {
    var path: String
    var next: [String]
  }

  static let flows: [(name: String, steps: [Step])] = [
    (
      "Sign in",
      [
        Step(
          path: "/sign-in",
          next: [
            "/sign-in/password", "/sign-in/methods", "/sign-in/code", "/sign-in/link", "/continue",
            "/sign-in/second-factor", "/sign-in/device", "/sign-in/enrolment", "/account",
          ]
        ),
        Step(
          path: "/sign-in/password",
          next: [
            "/sign-in/methods", "/sign-in/second-factor", "/sign-in/device", "/account",
          ]
        ),
        Step(
          path: "/sign-in/methods",
          next: ["/sign-in/password", "/sign-in/code", "/sign-in/link", "/forgot-password/code"]
        ),
        Step(path: "/sign-in/code", next: ["/sign-in/second-factor", "/account"]),
        Step(path: "/sign-in/link", next: ["/sign-in/second-factor", "/account"]),
        Step(
          path: "/sign-in/second-factor",
          next: [
            "/sign-in/second-factor/methods", "/sign-in/second-factor/backup-code", "/account",
          ]
        ),
        Step(
          path: "/sign-in/second-factor/methods",
          next: ["/sign-in/second-factor", "/sign-in/second-factor/backup-code"]
        ),
        Step(path: "/sign-in/second-factor/backup-code", next: ["/account"]),
        Step(path: "/sign-in/device", next: ["/account"]),
        Step(path: "/sign-in/enrolment", next: ["/account"]),
        Step(path: "/permissions", next: ["/account", "/sign-in"]),
        Step(path: "/continue", next: ["/account"]),
      ]
    ),
    (
      "Sign up",
      [
        Step(
          path: "/sign-up",
          next: ["/sign-up/verify", "/sign-up/link", "/sign-up/continue", "/account"]
        ),
        Step(path: "/sign-up/verify", next: ["/sign-up/continue", "/account"]),
        Step(path: "/sign-up/link", next: ["/sign-up/continue", "/account"]),
        Step(path: "/sign-up/continue", next: ["/sign-up/verify", "/account"]),
      ]
    ),
    (
      "Password reset",
      [
        Step(path: "/forgot-password", next: ["/forgot-password/code"]),
        Step(path: "/forgot-password/code", next: ["/forgot-password/new", "/sign-in/methods"]),
        Step(
          path: "/forgot-password/new",
          next: ["/forgot-password/waiting", "/sign-in/second-factor", "/account"]
        ),
        Step(path: "/forgot-password/waiting", next: ["/account"]),
      ]
    ),
    (
      "Session",
      [
        Step(path: "/tasks/reset-password", next: ["/tasks/choose-organization", "/account"]),
        Step(path: "/tasks/choose-organization", next: ["/tasks/setup-mfa", "/account"]),
        Step(path: "/tasks/setup-mfa", next: ["/account"]),
        Step(path: "/account", next: ["/sign-out", "/permissions"]),
        Step(path: "/sign-out", next: ["/sign-in"]),
        Step(path: "/locked", next: ["/sign-in"]),
        Step(path: "/blocked", next: ["/sign-in"]),
      ]
    ),
  ]

  /// The chart, with the steps marked at whose paths the visitor stands.
  static func content(standingAt places: [String]) -> WorkbenchContent {
    let lead =
      places.isEmpty
      ? "No attempt is under way in this browser."
      : "This browser stands at \(places.joined(separator: ", "))."
    let charts = flows.map { flow in
      let items = flow.steps.map { step in
        let isHere = places.contains(step.path)
        return WorkbenchContent.Item(
          step: step.path,
          isCurrent: isHere,
          heading: step.path + (isHere ? " · you are here" : ""),
          about: .init(words: "leads to \(step.next.joined(separator: ", "))")
        )
      }
      return WorkbenchContent.List(heading: flow.name, items: items)
    }
    return WorkbenchContent(lead: [lead], lists: charts)
  }
}
