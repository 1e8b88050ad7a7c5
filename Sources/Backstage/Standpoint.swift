internal import Emulators
public import HTTPExchange
internal import HTTPTypes
internal import Pages

/// Brings a browser of a world to a state of the atlas, by the steps that a person would take.
public struct Standpoint: Sendable {
  /// The result of the walk.
  public enum Outcome: Sendable {
    /// Where the browser should go, with the cookies of a visit that stands there.
    case there(location: String, cookies: [String])
    /// Why the walk did not get there, in a sentence.
    case elsewhere(String)
  }

  /// The states that a walk leads to.
  let states: Set<String>
  /// Those that a walk leads to over another API.
  let statesElsewhere: Set<String>
  /// The settings that any of the walks changes, by their names.
  let settings: Set<String>
  let bring: @Sendable (Request, _ state: String) async -> Outcome
  private let changes: StandChanges

  /// - Parameters:
  ///   - states: The states that a walk leads to.
  ///   - statesElsewhere: Those that a walk leads to over another API.
  ///   - settings: The settings that any of the walks changes, by their names.
  ///   - memory: What earlier stands have changed.
  ///   - bring: Walks to a state on behalf of a request's browser.
  public init(
    states: Set<String>,
    statesElsewhere: Set<String> = [],
    settings: Set<String> = [],
    memory: BackstageMemory = BackstageMemory(),
    bring: @escaping @Sendable (Request, _ state: String) async -> Outcome
  ) {
    self.states = states
    self.statesElsewhere = statesElsewhere
    self.settings = settings
    changes = memory.standChanges
    self.bring = bring
  }

  /// Leaves the settings of a world that begins anew as they are then.
  func forgetChanges(in world: World) { changes.forget(world) }

  /// Why no browser can be brought to that state; nil if one can.
  func obstacle(to example: PageExample) -> String? {
    if states.contains(example.name) { return nil }
    if example.page.address == nil {
      return "No flow leads there: it is how a request is refused."
    }
    if example.frame.error != nil || example.frame.refusal != nil {
      return "It answers a refused form: go to its page, and send what it refuses."
    }
    if statesElsewhere.contains(example.name) { return "It is reached only with the other API." }
    return "No walk with the demo users leads there."
  }

  /// Whether an API has that state, as far as the walks show.
  ///
  /// A state that no walk leads to, such as a refused form, counts as existing where its page does.
  /// - Parameters:
  ///   - example: The state.
  ///   - isEmulated: Whether to ask about the emulated API; otherwise about the other one.
  /// - Returns: False if only the other API has it.
  func has(_ example: PageExample, overEmulated isEmulated: Bool) -> Bool {
    let (own, others) = isEmulated ? (states, statesElsewhere) : (statesElsewhere, states)
    if own.contains(example.name) { return true }
    if others.contains(example.name) { return false }
    func isWalked(_ states: Set<String>) -> Bool {
      states.contains { $0.prefix { $0 != "/" } == example.pageName }
    }
    return isWalked(own) || !isWalked(others)
  }

  /// Brings a browser to a state, and notes it in the browser's recording.
  ///
  /// The faults of the world stay as they are.
  ///
  /// - Throws: A refusal with status 422 and the reason, for an unknown page or state and for one
  ///   that cannot be reached; with status 503 if the world has been dropped.
  func answer(
    to request: Request,
    page: String,
    state: String?,
    in world: World,
    of worlds: Worlds,
    _ recorder: Recorder?
  ) async throws -> Response {
    let pages = Atlas.pages
    guard let plain = pages.first(where: { $0.page == page })?.states else {
      let known = pages.map(\.page).joined(separator: ", ")
      throw BackstageRefusal.invalid(
        "There is no page '\(page.prefix(100))'. The pages are \(known)."
      )
    }
    let name =
      "\(page)/\(state ?? plain.first { states.contains("\(page)/\($0)") } ?? plain.first ?? "")"
    guard let example = Atlas.example(named: name) else {
      throw BackstageRefusal.invalid(
        "There is no state \(name.prefix(200)). The states are \(plain.joined(separator: ", "))."
      )
    }
    if let obstacle = obstacle(to: example) {
      throw BackstageRefusal(.unreachable, "\(name) cannot be reached. \(obstacle)")
    }
    let before = world.clock.now
    let outcome = try await changes.stand(changing: settings, in: world, of: worlds) {
      // A fault is meant for whoever goes on from there.
      await Faults.heldBack {
        await Recordings.$isPaused.withValue(true) { await bring(request, name) }
      }
    }
    switch outcome {
    case .there(let location, let cookies):
      let arrival = RecordedArrival(way: .stand, page: page, state: state, location: location)
      recorder?.recordings.note(arrival, of: request, since: before, in: world)
      return .seeOther(location, cookies: cookies)
    case .elsewhere(let words):
      guard worlds.opened(world.name) === world else { throw BackstageRefusal.worldDropped }
      throw BackstageRefusal(.unreachable, "\(name) was not reached. \(words)")
    }
  }
}

extension BackstageContext {
  func errors() async throws -> Response {
    guard let rehearsal else { throw BackstageRefusal.notFound }
    return .json(.array(await rehearsal.all(behind: worlds.api).map(\.json)))
  }

  func stand(_ call: BackstageCall) async throws -> Response {
    guard let standpoint, let request else { throw BackstageRefusal.notFound }
    let body = try call.requiredBody()
    try body.refuseKeys(besides: ["page", "state"])
    guard let page = try body.text("page") else {
      throw BackstageRefusal.invalid("'page' is missing.", at: "page", "it is missing")
    }
    return try await standpoint.answer(
      to: request,
      page: page,
      state: try body.text("state"),
      in: world,
      of: worlds,
      recorder
    )
  }
}
