internal import HTTPExchange

/// Whether requests can be sent, and which world they name.
enum Reach: Sendable {
  /// Requests name that world; nil names none.
  case open(world: WorldName?)
  /// No request can be sent; the text tells the caller why.
  case closed(why: String)

  /// - Parameters:
  ///   - name: The name of the world; nil names none.
  ///   - hindrance: Why no request can be sent, whatever the world; nil if requests can be.
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

  /// The world that a request should name; nil for none.
  ///
  /// - Parameter failure: Makes an error of the reason.
  /// - Returns: The world.
  /// - Throws: That error, if no request can be sent.
  func world<E: Error>(orThrow failure: (_ why: String) -> E) throws(E) -> WorldName? {
    switch self {
    case .open(let world): return world
    case .closed(let why): throw failure(why)
    }
  }
}
