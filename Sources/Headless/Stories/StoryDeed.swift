public import AuthFlow

extension Story {
  /// Something that is done in backstage, beside the pages.
  public enum Deed: Sendable {
    /// The world's clock is moved: the body of `POST clock`.
    case clock(JSONValue)
    /// The emulator's settings change: the body of `PATCH instance`.
    case settings(JSONValue)
    /// A fault is added: the body of `POST faults`.
    case fault(JSONValue)
    /// All faults are replaced by these: bodies of `POST faults`.
    case faults([JSONValue])
    /// Support changes an account: the body of `PATCH users/ID`.
    case user(identifier: String, JSONValue)
    /// An account is made: the body of `POST users`.
    case newUser(JSONValue)
    /// Somebody is invited: the body of `POST invitations`.
    case invitation(JSONValue)
    /// An exported world replaces this one: the body of `POST import`.
    case world(JSONValue)
    case delete(Deletion)

    /// Its key in a step of a story.
    public enum Key: String, Sendable, Hashable, CaseIterable {
      case clock, settings, fault, faults, user
      case newUser = "new_user"
      case invitation, world, delete
    }
  }

  /// What can be deleted.
  public enum Deletion: Sendable, Hashable {
    /// The whole inbox.
    case messages
    /// The newest message.
    case message(MessageFilter)
    case traces
    case user(identifier: String)
  }

  /// A call of backstage.
  public struct Call: Sendable {
    /// The target, below `/backstage/api/`.
    public enum Place: Sendable, Hashable {
      case path(String)
      /// `users/ID` of the account with that identifier.
      case user(identifier: String)
      /// `messages/ID` of the newest message.
      case message(MessageFilter)
    }

    public let method: String
    public let place: Place
    /// Nil if none is sent.
    public let body: JSONValue?

    init(_ method: String, _ place: Place, _ body: JSONValue? = nil) {
      (self.method, self.place, self.body) = (method, place, body)
    }
  }

  /// The calls that set up a fresh world for the beginning of the story.
  ///
  /// If it begins at a time of its own, the world is reset to it first: the locks of demo users, too,
  /// count from it.
  public var preparations: [Call] {
    var deeds: [Deed] = []
    if let settings { deeds.append(.settings(settings)) }
    deeds += users.map(Deed.newUser) + faults.map(Deed.fault)
    return [reset].compactMap(\.self) + deeds.flatMap(\.calls)
  }

  /// The reset of the world to a clock of the story's own; nil if it has none.
  var reset: Call? {
    var clock: [JSONValue.Member] = []
    if let time = self.clock { clock.append(.init("set", .string(time))) }
    if isClockFrozen { clock.append(.init("freeze", .bool(true))) }
    guard !clock.isEmpty else { return nil }
    return Call("POST", .path("reset"), .object([.init("clock", .object(clock))]))
  }
}

extension Story.Deed {
  /// The calls that carry it out, in order.
  public var calls: [Story.Call] {
    switch self {
    case .clock(let body): [.init("POST", .path("clock"), body)]
    case .settings(let body): [.init("PATCH", .path("instance"), body)]
    case .fault(let body): [.init("POST", .path("faults"), body)]
    case .faults(let faults):
      [.init("DELETE", .path("faults"))] + faults.map { .init("POST", .path("faults"), $0) }
    case .user(let identifier, let change):
      [.init("PATCH", .user(identifier: identifier), change)]
    case .newUser(let body): [.init("POST", .path("users"), body)]
    case .invitation(let body): [.init("POST", .path("invitations"), body)]
    case .world(let body): [.init("POST", .path("import"), body)]
    case .delete(.messages): [.init("DELETE", .path("messages"))]
    case .delete(.message(let filter)): [.init("DELETE", .message(filter))]
    case .delete(.traces): [.init("DELETE", .path("traces"))]
    case .delete(.user(let identifier)): [.init("DELETE", .user(identifier: identifier))]
    }
  }
}
