internal import Emulators
internal import HTTPExchange
internal import Locking

/// What stands have changed in the settings of worlds, which is no part of the next one.
final class StandChanges: Sendable {
  private struct Change {
    /// As the setting was before the stand.
    var before: JSON
    /// As the stand has left it.
    var after: JSON
  }

  private struct Changes {
    /// One that was dropped leaves its name to another.
    weak var world: World?
    var bySetting: [String: Change]
  }

  private let kept = Locked<[WorldName: Changes]>([:])
  private let turns = Turns()

  /// Has somebody stand without what the stands before have changed.
  ///
  /// What has been set since then is somebody's own, and stays. Where they do not come to stand, the settings are as
  /// they were.
  ///
  /// - Parameters:
  ///   - names: The settings that any stand changes.
  ///   - world: Where they are to stand.
  ///   - bring: Brings them there.
  /// - Returns: What came of it.
  /// - Throws: `CancellationError`, or `DocumentError` for a setting that cannot be what it was.
  func stand(
    changing names: Set<String>,
    in world: World,
    _ bring: @escaping @Sendable () async -> Standpoint.Outcome
  ) async throws -> Standpoint.Outcome {
    try await turns.take(in: world.name) { [self] in
      let start = world.settings.json
      try put(back: changes(in: world).filter { start[$0] == $1.after }.mapValues(\.before), world)
      let before = world.settings.json
      let outcome = await bring()
      let after = world.settings.json
      switch outcome {
      case .there: keep(names, from: before, to: after, world)
      case .elsewhere:
        let moved = names.filter { start[$0] != after[$0] }.map { ($0, start[$0] ?? .null) }
        try put(back: Dictionary(uniqueKeysWithValues: moved), world)
      }
      return outcome
    }
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
    // Settings that are changed count as others, which pages ask for anew.
    guard !values.isEmpty else { return }
    let members = values.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }
    try world.changeSettings { settings throws(DocumentError) in
      try settings.merging(.object(members))
    }
  }
}
