internal import HTTPExchange

/// Whether anything can be asked, and of which world.
enum Reach: Sendable {
  /// Requests name that world; nil is none.
  case open(world: WorldName?)
  /// Nothing can be asked; why, in words for who would.
  case closed(why: String)

  /// - Parameters:
  ///   - name: What is to name the world; nil where nothing does.
  ///   - hindrance: Why nothing can be asked, whatever the world; nil where something can.
  init(world name: String?, hindrance: String?) {
    let world = name.flatMap { WorldName($0) }
    if let hindrance {
      self = .closed(why: hindrance)
    } else if let name, world == nil {
      self = .closed(
        why: "There is no world \"\(name)\": a world's name is 1 to 40 of a-z, 0-9 and -"
      )
    } else {
      self = .open(world: world)
    }
  }

  /// The world that a request is to name; nil for none.
  ///
  /// - Parameter failure: What is made of the words.
  /// - Returns: The world.
  /// - Throws: That, where nothing can be asked.
  func world<E: Error>(orThrow failure: (_ why: String) -> E) throws(E) -> WorldName? {
    switch self {
    case .open(let world): return world
    case .closed(let why): throw failure(why)
    }
  }
}
