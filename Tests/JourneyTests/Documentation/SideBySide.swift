import Foundation
import HTTPTypes
import VestibuleTesting

/// The flows as both auth APIs play them: written down from journeys, not from memory.
///
/// What a person does, where it leaves them, and which calls it took are read from the pages and
/// from the traces behind them.
struct SideBySide {
  /// One thing that a person does.
  struct Step: Sendable {
    var words: String
    /// Only where that API asks for it.
    var api: Stage.API?
    var act: @Sendable (Scene, FormSession) async throws -> PageSnapshot
  }

  struct Flow: Sendable {
    var title: String
    var instance: String?
    var steps: [Step]
  }

  /// Where a step leaves the person, and what was called for it.
  struct Cell {
    var state: String
    var calls: [String]
    var errors: [String]

    var text: String {
      // No line breaks: DocC drops the tags that a table would need for them.
      let asked = calls.isEmpty ? "no call" : calls.map { "`\($0)`" }.joined(separator: ", ")
      let told =
        errors.isEmpty ? "" : ", error " + errors.map { "`\($0)`" }.joined(separator: ", ")
      return "\(asked) → `\(state)`\(told)"
    }
  }

  /// The text between the marks of the article <doc:SideBySide>.
  static func text() async throws -> String {
    var text = ""
    for flow in flows {
      var columns: [Stage.API: [Cell?]] = [:]
      for api in Stage.API.allCases { columns[api] = try await play(flow, over: api) }
      text += "**\(flow.title)**\n\n| step | Clerk | Entra |\n|---|---|---|\n"
      for (index, step) in flow.steps.enumerated() {
        let cells = Stage.API.allCases.map { columns[$0]?[index]?.text ?? "–" }
        text += "| \(step.words) | \(cells.joined(separator: " | ")) |\n"
      }
      text += "\n"
    }
    return text
  }

  private static func play(_ flow: Flow, over api: Stage.API) async throws -> [Cell?] {
    var cells: [Cell?] = []
    try await Stage(place: .inProcess, api: api).play(.init(instance: flow.instance)) { scene in
      let browser = scene.newBrowser()
      for step in flow.steps {
        guard step.api == nil || step.api == api else {
          cells.append(nil)
          continue
        }
        _ = try await scene.backstage.call(.delete, "traces")
        let page = try await step.act(scene, browser)
        cells.append(
          Cell(
            state: state(of: page),
            calls: try await calls(scene),
            errors: page.errorCodes
              + (page.form?.fields.flatMap { $0.errors ?? [] }.map(\.code) ?? [])
          )
        )
      }
    }
    return cells
  }

  /// The state of the flow that a page stands for.
  private static func state(of page: PageSnapshot) -> String {
    switch page.page {
    case "account": "complete"
    case "sign-in":
      page.errorCodes(at: "password").isEmpty ? "identifierRequired" : "passwordRequired"
    case "forgot-password": "identifierRequired"
    case "sign-in-code", "sign-up-verify", "forgot-password-code": "codeRequired"
    case "sign-in-second-factor": "secondFactorRequired"
    case "sign-in-second-factor-methods": "secondFactorChoiceRequired"
    case "sign-in-enrolment": page.step == "code" ? "enrolmentCodeRequired" : "enrolmentRequired"
    case "sign-up": "detailsRequired"
    case "sign-up-continue": "detailsMissing"
    case "forgot-password-new": "newPasswordRequired"
    case "forgot-password-waiting": "waiting"
    case "sign-in-methods": "factorChoiceRequired"
    case "continue": "browserRequired"
    case "permissions": "permissionsRequired"
    case "tasks-reset-password", "tasks-setup-mfa":
      "task \(page.page.dropFirst("tasks-".count)), \(page.step)"
    default: page.page
    }
  }

  private static func calls(_ scene: Scene) async throws -> [String] {
    struct Trace: Decodable {
      struct Call: Decodable {
        var method: String
        var path: String
      }

      var started_at: String
      var calls: [Call]
    }
    let data = try await scene.backstage.call(.get, "traces")
    let traces = try JSONDecoder().decode([Trace].self, from: data)
    // The newest first; what an API says about itself is asked for along the way and is not a step.
    let background = ["/v1/environment", "openid-configuration", "/discovery/"]
    return traces.reversed().flatMap(\.calls).filter { call in
      !background.contains { call.path.contains($0) }
    }.map { "\($0.method) \(plain($0.path))" }
  }

  /// The path without its query, its tenant and its ids.
  private static func plain(_ path: String) -> String {
    let parts = path.prefix { $0 != "?" }.split(separator: "/").dropFirst()
    return "/"
      + parts.map { part in
        part.contains("_") && part.contains(where: \.isUppercase)
          || part.hasPrefix("sia_") || part.hasPrefix("sua_") || part.hasPrefix("sess_")
          ? "ID" : String(part)
      }.joined(separator: "/")
  }
}
