public import Emulators
internal import Foundation
public import HTTPExchange
internal import Locking
public import Pages
internal import Synchronization

/// The walks of browsers that are recorded.
///
/// What is typed is among them, passwords too, since it is needed to walk again: they are kept in the
/// memory of this process alone, and only what is exported has them.
public final class Recordings: Sendable {
  /// The cookie that names the recording of a browser.
  static let cookieName = "vestibule-recording"
  /// How many are kept; then the oldest goes.
  static let limit = 100
  /// Whether what walks now are we ourselves, on behalf of a browser that is brought to its end.
  @TaskLocal static var isPaused = false

  private let kept = Locked<[Recording]>([])
  private let beginnings = Atomic(0)
  private let randomBytes: @Sendable (Int) -> [UInt8]

  /// - Parameter randomBytes: So many, from which recordings are named.
  public init(randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
    self.randomBytes = randomBytes
  }

  /// Records what browsers of a world do; nil in the worlds in which none is recorded.
  public func recorder(of world: World) -> (@Sendable (SeenRequest) async -> Void)? {
    guard hasRecording(in: world.name) else { return nil }
    return { [weak world] request in
      guard let world, !Self.isPaused else { return }
      await self.see(request, in: world)
    }
  }

  /// Begins to record the walk of a browser in a world.
  ///
  /// - Parameters:
  ///   - title: What it is called.
  ///   - world: Where it is walked.
  ///   - worlds: Has what a fresh world is like.
  ///   - following: How the browser is known.
  /// - Returns: The id.
  /// - Throws: `WorldsError`, or what SQLite reports.
  func begin(
    _ title: String,
    in world: World,
    of worlds: Worlds,
    following: Recording.Following
  ) async throws -> String {
    let id = Hexadecimal.text(of: randomBytes(16))
    let beginning = try await RecordedBeginning(of: world, among: worlds, id: id)
    let recording = Recording(
      id: id,
      title: title,
      world: world.name,
      api: worlds.api,
      beginning: beginning,
      following: following,
      number: nextNumber()
    )
    kept.withLock { kept in
      kept.append(recording)
      if kept.count > Self.limit { kept.removeFirst() }
    }
    return id
  }

  private func nextNumber() -> Int { beginnings.add(1, ordering: .relaxed).newValue }

  /// Which beginning of all is the newest in a world; nil where nobody is recorded.
  ///
  /// A walk begins in a world of which nothing is known yet: whatever was known goes with another number.
  public func newestBeginning(in world: WorldName) -> Int? {
    kept.withLock { kept in kept.lazy.filter { $0.world == world }.map(\.number).max() }
  }

  /// A recording as it is told.
  ///
  /// - Returns: Nil where there is none of that id in that world.
  func recording(_ id: String, in world: WorldName) -> Recording? {
    kept.withLock { recordings in recordings.first { $0.id == id && $0.world == world } }?.untilNow
  }

  /// The recording that a browser names by its cookie, as it is told; nil where it names none of that world.
  func recording(of request: Request, in world: WorldName) -> Recording? {
    let names = request.recordings
    return kept.withLock { $0.first { $0.world == world && names.contains($0.id) } }?.untilNow
  }

  /// How many steps are kept of the walk of a browser that names its recording.
  ///
  /// - Returns: Nil where it names none of that world.
  func stepCount(of request: Request, in world: WorldName) -> Int? {
    recording(of: request, in: world)?.steps.count
  }

  /// Whether what a browser does on the pages is recorded.
  ///
  /// - Parameters:
  ///   - request: What it sends, in which it may name its recording.
  ///   - visit: The ids of its visit, by which it is known where it keeps no cookies for long.
  ///   - world: Where it is.
  /// - Returns: Whether one of that world follows it, or whoever comes.
  public func isRecording(_ request: Request, visit: [String], in world: WorldName) -> Bool {
    let names = request.recordings
    return kept.withLock { $0.index(named: names, or: { $0.follows(visit) }, in: world) != nil }
  }

  /// Forgets a recording.
  ///
  /// - Returns: Whether there was one of that id in that world.
  func end(_ id: String, in world: WorldName) -> Bool {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.id == id && $0.world == world }) else {
        return false
      }
      kept.remove(at: index)
      return true
    }
  }

  /// Notes in every recording of a world what has happened beside the pages.
  ///
  /// - Parameters:
  ///   - event: What it was.
  ///   - before: When it began, by the world's clock, which it may have moved.
  ///   - world: Where it was.
  func note(_ event: RecordedEvent, since before: Date, in world: World) {
    let (now, number) = (world.clock.now, nextNumber())
    kept.withLock { kept in
      for index in kept.indices where kept[index].world == world.name {
        kept[index].note(event, since: before, at: now, numberingAs: number)
      }
    }
  }

  /// Notes in the recording of a browser that backstage has brought it somewhere.
  func note(_ arrival: RecordedArrival, of request: Request, since before: Date, in world: World) {
    let (now, names) = (world.clock.now, request.recordings)
    kept.withLock { kept in
      guard let index = kept.index(named: names, or: { $0.isFollowingWhoeverComes }, in: world.name)
      else { return }
      kept[index].note(arrival, since: before, at: now)
    }
  }

  /// Whether anybody is recorded there.
  func hasRecording(in world: WorldName) -> Bool {
    kept.withLock { kept in kept.contains { $0.world == world } }
  }

  private func see(_ request: SeenRequest, in world: World) async {
    let identifiers: [String]? = kept.withLock { kept in
      guard let index = kept.index(following: request, in: world.name) else { return nil }
      if request.recordings.contains(kept[index].id) {
        kept[index].followCookie(of: request.visit)
      } else {
        kept[index].follow(request.visit)
      }
      return kept[index].known
    }
    guard let identifiers else { return }
    let source = await RecordedSource(of: request, in: world, known: identifiers)
    let now = world.clock.now
    kept.withLock { kept in
      guard let index = kept.index(following: request, in: world.name) else { return }
      kept[index].see(request, source, at: now)
    }
  }
}

extension Request {
  /// The recordings that the browser names.
  fileprivate var recordings: Set<String> {
    Set(cookies.filter { $0.name == Recordings.cookieName }.map { String($0.value) })
  }
}

extension SeenRequest {
  /// The recordings that the browser names.
  fileprivate var recordings: Set<String> {
    Set(cookies.filter { $0.name == Recordings.cookieName }.map(\.value))
  }
}

extension [Recording] {
  /// The recording of the browser that has sent this; one that is named goes before one that follows
  /// whoever comes first.
  fileprivate func index(following request: SeenRequest, in world: WorldName) -> Int? {
    index(named: request.recordings, or: { $0.follows(request.visit) }, in: world)
  }

  fileprivate func index(
    named names: Set<String>,
    or follows: (Recording) -> Bool,
    in world: WorldName
  ) -> Int? {
    firstIndex { $0.world == world && names.contains($0.id) }
      ?? firstIndex { $0.world == world && follows($0) }
  }
}
