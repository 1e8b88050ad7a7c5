public import Emulators
internal import Foundation
public import HTTPExchange
internal import Locking
public import Pages
internal import Synchronization

/// The recorded walks of browsers.
///
/// They include what is typed, even passwords, since that is needed to repeat a walk. They are kept
/// only in the memory of this process, and leave it only by an export.
public final class Recordings: Sendable {
  /// The cookie that names the recording of a browser.
  let cookieName: CookieName
  /// The largest number that is kept; beyond it the oldest is dropped.
  static let limit = 100
  /// Whether the current walk is our own, on behalf of a browser that is being brought somewhere.
  @TaskLocal static var isPaused = false

  private let kept = Locked<[Recording]>([])
  private let beginnings = Atomic(0)
  private let randomBytes: @Sendable (Int) -> [UInt8]

  /// - Parameters:
  ///   - isSecure: Whether people come to the pages by https.
  ///   - randomBytes: Makes the given number of random bytes, for the ids of recordings.
  public init(isSecure: Bool, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
    cookieName = CookieName("vestibule-recording", isSecure: isSecure)
    self.randomBytes = randomBytes
  }

  /// The recorder of what browsers do in a world; nil if none is being recorded there.
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
  ///   - title: The title of the walk.
  ///   - world: The world to walk in.
  ///   - worlds: Provides a fresh world to compare with.
  ///   - following: How the browser is recognised.
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

  /// The number of the newest beginning in a world; nil if nothing is recorded there.
  ///
  /// A walk begins with nothing known about the world, so caches about a world are kept per number.
  public func newestBeginning(in world: WorldName) -> Int? {
    kept.withLock { kept in kept.lazy.filter { $0.world == world }.map(\.number).max() }
  }

  /// A recording with the steps so far.
  ///
  /// - Returns: Nil if that world has none with that id.
  func recording(_ id: String, in world: WorldName) -> Recording? {
    kept.withLock { recordings in recordings.first { $0.id == id && $0.world == world } }?.untilNow
  }

  /// The recording that a browser's cookie names, with the steps so far; nil if it names none of
  /// that world.
  func recording(of request: Request, in world: WorldName) -> Recording? {
    guard let id = id(namedBy: request) else { return nil }
    return recording(id, in: world)
  }

  /// The id of the recording that a browser names; nil if it names none.
  private func id(namedBy request: Request) -> String? {
    request.cookie(cookieName).map { String($0) }
  }

  private func id(namedBy request: SeenRequest) -> String? {
    request.cookies.last { $0.name == cookieName.text }?.value
  }

  /// The number of recorded steps in the walk of a browser that names its recording.
  ///
  /// - Returns: Nil if it names none of that world.
  func stepCount(of request: Request, in world: WorldName) -> Int? {
    recording(of: request, in: world)?.steps.count
  }

  /// Whether a browser is recorded on the pages.
  ///
  /// - Parameters:
  ///   - request: Its request, which may name its recording.
  ///   - visit: The ids of its visit, which identify it if it does not keep cookies.
  ///   - world: The world of the request.
  /// - Returns: Whether a recording of that world follows it, or any browser that comes.
  public func isRecording(_ request: Request, visit: [String], in world: WorldName) -> Bool {
    let id = id(namedBy: request)
    return kept.withLock { $0.index(named: id, or: { $0.follows(visit) }, in: world) != nil }
  }

  /// Forgets a recording.
  ///
  /// - Returns: Whether that world had one with that id.
  func end(_ id: String, in world: WorldName) -> Bool {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.id == id && $0.world == world }) else {
        return false
      }
      kept.remove(at: index)
      return true
    }
  }

  /// Notes an event beside the pages in every recording of a world.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - before: When it began, by the world's clock, which it may have moved.
  ///   - world: The world of the event.
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
    let (now, named) = (world.clock.now, id(namedBy: request))
    kept.withLock { kept in
      guard let index = kept.index(named: named, or: { $0.isFollowingWhoeverComes }, in: world.name)
      else { return }
      kept[index].note(arrival, since: before, at: now)
    }
  }

  /// Whether any browser is recorded in that world.
  func hasRecording(in world: WorldName) -> Bool {
    kept.withLock { kept in kept.contains { $0.world == world } }
  }

  private func see(_ request: SeenRequest, in world: World) async {
    let named = id(namedBy: request)
    let found: (id: String, number: Int, known: [String])? = kept.withLock { kept in
      guard let index = kept.index(named: named, following: request.visit, in: world.name) else {
        return nil
      }
      if named == kept[index].id {
        kept[index].followCookie(of: request.visit)
      } else {
        kept[index].follow(request.visit)
      }
      return (kept[index].id, kept[index].number, kept[index].known)
    }
    guard let found else { return }
    let source = await RecordedSource(of: request, in: world, known: found.known)
    let now = world.clock.now
    kept.withLock { kept in
      // One that was reset meanwhile has begun anew, and this step is from before.
      guard let index = kept.index(named: named, following: request.visit, in: world.name),
        kept[index].id == found.id, kept[index].number == found.number
      else { return }
      kept[index].see(request, source, at: now)
    }
  }
}

extension [Recording] {
  /// The recording of the browser of that visit.
  ///
  /// One that the browser names takes precedence over one that follows whichever comes first.
  fileprivate func index(
    named id: String?,
    following visit: [String],
    in world: WorldName
  ) -> Int? {
    index(named: id, or: { $0.follows(visit) }, in: world)
  }

  fileprivate func index(
    named id: String?,
    or follows: (Recording) -> Bool,
    in world: WorldName
  ) -> Int? {
    firstIndex { $0.world == world && $0.id == id }
      ?? firstIndex { $0.world == world && follows($0) }
  }
}
