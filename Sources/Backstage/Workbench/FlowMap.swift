internal import Emulators
internal import Headless
internal import Pages

/// The state chart of the flows: each page, and where it leads.
///
/// It comes from walking the flow core: no type says which step is next, since the auth API decides
/// that.
struct FlowMap {
  /// A page leads to another.
  struct Arrow: Hashable {
    /// The pages, by their names.
    var source: String
    var target: String
    /// The form or link, and the codes on the next page.
    var reason: String

    init(_ source: String, _ target: String, _ reason: String) {
      (self.source, self.target, self.reason) = (source, target, reason)
    }

    /// The first code of the first form, or the form's name if it may lead on without one.
    ///
    /// The full reason is in the list below the chart.
    var shortReason: Substring {
      let words = reason.split { ":, ".contains($0) }
      guard let form = words.first, words.count > 1,
        reason.dropFirst(form.count).first == ":"
      else { return words.first ?? "" }
      // If a code has a suberror, that says more.
      return words[1].split(separator: "/").last ?? words[1]
    }
  }

  /// A flow that is drawn as one chart, by its heading.
  fileprivate enum Flow: String, CaseIterable {
    case signIn = "Sign in"
    case signUp = "Sign up"
    case passwordReset = "Password reset"
    case session = "Session"
  }

  /// The pages of each flow, from its beginning, in the order of the addresses.
  static let flows: [(name: String, pages: [String])] = Flow.allCases.map { flow in
    (flow.rawValue, Address.pages.filter { $0.part.flow == flow }.map(\.pageName))
  }

  /// Which page leads to which, and why.
  let arrows: [Arrow]
  /// The walks that did not go as told: what they would have shown is missing.
  let strayed: [String]

  /// - Parameter findings: The results of walking the flows.
  init(_ findings: FlowWalker.Findings) {
    let reasons = Dictionary(grouping: findings.ways) { [$0.source, $0.target] }
    arrows = reasons.map { pages, ways in
      Arrow(pages[0], pages[1], Set(ways.map(\.reason)).sorted().joined(separator: " or "))
    }.sorted { ($0.source, $0.target) < ($1.source, $1.target) }
    strayed = findings.strayed
  }

  func arrows(from page: String) -> [Arrow] { arrows.filter { $0.source == page } }

  /// The flows with those of their pages that lead somewhere or are led to, which depends on the
  /// auth API.
  var flows: [(name: String, pages: [String])] {
    let walked = Set(arrows.flatMap { [$0.source, $0.target] })
    return Self.flows.map { ($0.name, $0.pages.filter(walked.contains)) }
      .filter { !$0.pages.isEmpty }
  }

  /// The charts, with marks on the pages where the visitor stands and on the way that led there.
  ///
  /// - Parameters:
  ///   - places: The paths of the steps at which the visitor stands.
  ///   - way: The way that led there.
  ///   - settings: The settings of the world, which the walks do not have.
  /// - Returns: The charts, and in words what they show.
  func content(
    standingAt places: [String],
    after way: WalkedWay,
    under settings: InstanceSettings = InstanceSettings()
  ) -> WorkbenchContent {
    let standing =
      places.isEmpty
      ? "No attempt is under way in this browser."
      : "This browser stands at \(places.joined(separator: ", "))."
    let gaps =
      strayed.isEmpty ? [] : ["Not finished: \(strayed.joined(separator: ", "))."]
    let flows = flows
    let charts = flows.map {
      FlowChart(name: $0.name, pages: $0.pages, arrows: arrows, standingAt: places, after: way)
    }
    let lists = flows.map { flow in
      let items = flow.pages.map { page in
        let path = Self.path(of: page)
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
      let id = Self.listID(of: flow.name)
      return WorkbenchContent.List(heading: flow.name, id: id, items: items)
    }
    let lead = [
      standing, "Found by walking every flow. Starting over, which each step allows, is left out.",
    ]
    let apart =
      settings == InstanceSettings()
      ? [] : ["Walked with the default settings, not with those of this world."]
    return WorkbenchContent(charts: charts, lead: lead + apart + gaps, lists: lists)
  }

  /// The id of the list that has in words what the chart of a flow shows.
  static func listID(of flow: String) -> String {
    "\(flow.lowercased().replacing(" ", with: "-"))-list"
  }

  static func path(of page: String) -> String {
    Address.pages.first { $0.pageName == page }?.path ?? "/\(page)"
  }

  /// The chart as a Mermaid diagram.
  var mermaid: String {
    let lines = arrows.map { arrow in
      let names = [arrow.source, arrow.target].map { $0.replacing("-", with: "_") }
      let reason = arrow.reason.replacing(":", with: " →")
      return "  \(names[0]) --> \(names[1]): \(reason)"
    }
    return (["stateDiagram-v2"] + lines).joined(separator: "\n") + "\n"
  }
}

extension Address.Part {
  /// The flow whose chart has its pages.
  fileprivate var flow: FlowMap.Flow {
    switch self {
    case .signIn, .signInLink: .signIn
    case .signUp, .signUpLink: .signUp
    case .passwordReset: .passwordReset
    case .resetPasswordTask, .chooseOrganizationTask, .setUpSecondFactorTask, .account, .signOut,
      .standstill:
      .session
    }
  }
}

extension FlowWalker.Way {
  /// The form or link, and the codes on the next page.
  fileprivate var reason: String {
    codes.isEmpty ? control : "\(control): \(codes.joined(separator: ", "))"
  }
}
