public import HTTPTypes

/// The name of a world: 1 to 40 of `a-z`, `0-9` and `-`.
public struct WorldName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// The world of a request that names none; the only one that is kept on disk.
  public static let main = WorldName(unchecked: "main")

  public init?(_ text: some StringProtocol) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isAllowed, (1...40).contains(text.utf8.count) else { return nil }
    self.text = String(text)
  }

  private init(unchecked text: String) { self.text = text }

  public var description: String { text }
}

extension WorldName {
  /// The request names a world by something that is not a name.
  public struct Invalid: Error, Hashable, Sendable {
    public init() {}
  }

  /// The world that a request names: by the header, else by a host `NAME.localhost`, else `main`.
  ///
  /// - Throws: `Invalid` when the header or the label is not a name, or the header is repeated.
  public init(namedBy request: Request) throws(Invalid) {
    if let reading = request.reading {
      self = try reading.world.get()
    } else {
      try self.init(namedBy: request.headerFields)
    }
  }

  init(namedBy fields: HTTPFields) throws(Invalid) {
    let header = fields.values(of: .vestibuleWorld)
    if let text = header.first {
      guard header.count == 1, let name = WorldName(text) else { throw Invalid() }
      self = name
      return
    }
    let host = fields.value(of: .host)?.lowercasedInASCII ?? ""
    guard let label = Self.label(inHost: host) else {
      self = .main
      return
    }
    guard let name = WorldName(label) else { throw Invalid() }
    self = name
  }

  /// What stands before `.localhost`, where the name of a world belongs; it may be none.
  ///
  /// - Parameter host: In lower case, with or without a port.
  /// - Returns: The label, or nil for a host at which no world is named.
  public static func label(inHost host: String) -> Substring? {
    let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
    let ending = ".localhost".utf8
    guard name.suffix(ending.count).elementsEqual(ending) else { return nil }
    return Substring(name.dropLast(ending.count))
  }
}

extension Request {
  /// The world that it names, for whoever does not tell why there is none: nil where something that is no name
  /// stands in place of one.
  public var namedWorld: WorldName? { try? WorldName(namedBy: self) }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Names the world that a request means.
  public static let vestibuleWorld = Self("X-Vestibule-World")!
}
