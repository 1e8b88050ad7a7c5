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
  /// What a request gives as its world is not a valid name, or is given twice.
  public struct Invalid: Error, Hashable, Sendable {
    public init() {}
  }

  /// The world that a request names: by the header, otherwise by a host `NAME.localhost`, otherwise `main`.
  ///
  /// - Throws: `Invalid` if the header or the label is not a valid name, or the header is repeated.
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

  /// The part of a host before `.localhost`, where a world's name belongs; it need not be a valid name.
  ///
  /// - Parameter host: In lower case, with or without a port.
  /// - Returns: The label, or nil for a host that names no world.
  public static func label(inHost host: String) -> Substring? {
    let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
    let ending = ".localhost".utf8
    guard name.suffix(ending.count).elementsEqual(ending) else { return nil }
    return Substring(name.dropLast(ending.count))
  }
}

extension Request {
  /// The world that the request names; nil, without a reason, if what it gives is not a valid name.
  public var namedWorld: WorldName? { try? WorldName(namedBy: self) }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// The world that a request is meant for.
  public static let vestibuleWorld = Self("X-Vestibule-World")!
}
