internal import Emulators
internal import HTTPExchange
internal import Locking

/// The settings of worlds that stands have changed, which the next stand undoes.
final class StandChanges: Sendable {
  private struct Change {
    /// The setting before the stand.
    var before: JSON
    /// The setting after the stand.
    var after: JSON
  }

  private struct Changes {
    /// Weak, because a dropped world leaves its name to another.
    weak var world: World?
    var bySetting: [String: Change]
  }

  private let kept = Locked<[WorldName: Changes]>([:])
  private let turns = Turns()

  /// Brings a browser to a stand without the changes of earlier stands.
  ///
  /// Settings that somebody has changed since then stay. If the browser does not get there under
  /// the world's own settings, it is brought again with every setting at its default. If it does
  /// not get there either, the settings are restored.
  ///
  /// - Parameters:
  ///   - names: The settings that any stand changes.
  ///   - world: The world of the stand.
  ///   - worlds: The worlds that it is one of.
  ///   - bring: Brings the browser there.
  /// - Returns: The outcome.
  /// - Throws: `BackstageRefusal` if the world has been dropped, `CancellationError`, or
  ///   `DocumentError` for a setting that cannot be restored.
  func stand(
    changing names: Set<String>,
    in world: World,
    of worlds: Worlds,
    _ bring: @escaping @Sendable () async -> Standpoint.Outcome
  ) async throws -> Standpoint.Outcome {
    try await turns.take(in: world, of: worlds) { [self] in
      let start = world.settings.json
      try put(back: changes(in: world).filter { start[$0] == $1.after }.mapValues(\.before), world)
      let before = world.settings.json
      var (outcome, changed) = (await bring(), names)
      // A dropped world must not come back for a second try.
      if case .elsewhere = outcome, !Self.differences(of: before).isEmpty,
        worlds.opened(world.name) === world
      {
        let defaults = Self.differences(of: world.settings.json)
        changed.formUnion(defaults.keys)
        try put(back: defaults, world)
        outcome = await bring()
      }
      let after = world.settings.json
      switch outcome {
      case .there: keep(changed, from: before, to: after, world)
      case .elsewhere:
        let moved = changed.filter { start[$0] != after[$0] }.map { ($0, start[$0] ?? .null) }
        try put(back: Dictionary(uniqueKeysWithValues: moved), world)
      }
      return outcome
    }
  }

  /// Forgets what stands have changed in a world, so that nothing of it is undone.
  func forget(_ world: World) {
    kept.withLock { kept in kept[world.name] = nil }
  }

  /// The defaults of the settings that differ from them, by their names.
  private static func differences(of settings: JSON) -> [String: JSON] {
    let usual = (InstanceSettings().json.members ?? []).filter { settings[$0.name] != $0.value }
    return Dictionary(uniqueKeysWithValues: usual.map { ($0.name, $0.value) })
  }

  private func changes(in world: World) -> [String: Change] {
    kept.withLock { kept in
      guard let changes = kept[world.name], changes.world === world else { return [:] }
      return changes.bySetting
    }
  }

  private func keep(_ names: Set<String>, from before: JSON, to after: JSON, _ world: World) {
    let changes = names.reduce(into: [String: Change]()) { changes, name in
      guard let old = before[name], let new = after[name], old != new else { return }
      changes[name] = Change(before: old, after: new)
    }
    kept.withLock { kept in
      kept = kept.filter { $1.world != nil }
      kept[world.name] = Changes(world: world, bySetting: changes)
    }
  }

  private func put(back values: [String: JSON], _ world: World) throws(DocumentError) {
    // Any change counts as new settings, which pages would then fetch again.
    guard !values.isEmpty else { return }
    let members = values.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }
    try world.changeSettings { settings throws(DocumentError) in
      try settings.merging(.object(members))
    }
  }
}
