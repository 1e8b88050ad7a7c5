import AuthFlow

/// What is another on each visitor's copy of a page.
///
/// A template and the twin can say where it goes; its value is out of their reach. So nothing that
/// is rendered has one visitor's token in it when it is kept for the next.
enum Stamp: Hashable, Sendable {
  /// Against forgery, in a form that is posted to that address.
  case formToken(Address)
  /// When the page was looked at, in milliseconds: a script counts from then.
  case now
  /// What the log calls the request: what support asks for.
  case reference
  /// The auth API's own name for the answer that is told of: what support asks for in its place.
  case traceID
  /// What was typed into the page's field.
  case typed
  /// That address with what was typed as that parameter, where that is an email address.
  case addressCarryingTyped(Address, as: String)
}

/// A rendered page, into which what is the visitor's own has still to be stamped.
///
/// Every page is rendered as one, whether it is kept for others or not.
struct Still: Sendable {
  /// How text is written that could be taken for markup.
  enum Notation: Hashable, Sendable {
    case html, json

    fileprivate func append(_ text: String, to bytes: inout [UInt8]) {
      switch self {
      case .html: bytes.append(escapedForHTML: text)
      case .json: bytes.append(escapedForJSON: text)
      }
    }
  }

  private let notation: Notation
  /// All but the stamps.
  private(set) var bytes: [UInt8] = []
  private var places: [(offset: Int, stamp: Stamp)] = []

  /// - Parameters:
  ///   - notation: How it is written.
  ///   - capacity: How long it may become, in bytes, before it takes another allocation.
  init(_ notation: Notation, capacity: Int) {
    self.notation = notation
    bytes.reserveCapacity(capacity)
  }

  /// Whether nothing that is written there is to be stamped, and so is the same for every visitor.
  mutating func isWithoutStamps(_ write: (inout Still) -> Void) -> Bool {
    let count = places.count
    write(&self)
    return places.count == count
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }
  mutating func append(_ markup: [UInt8]) { bytes += markup }
  mutating func append(_ markup: Span<UInt8>) { markup.withUnsafeBufferPointer { bytes += $0 } }
  mutating func append(_ markup: StaticString) { bytes.append(markup) }
  mutating func append(escaping text: String) { notation.append(text, to: &bytes) }
  mutating func append(_ stamp: Stamp) { places.append((bytes.count, stamp)) }

  mutating func append(_ value: Value) {
    switch value {
    case .text(let text): append(escaping: text)
    case .stamp(let stamp): append(stamp)
    }
  }

  /// Puts markup before the last such text, or at the end where there is none.
  mutating func insert(_ markup: [UInt8], beforeLast text: [UInt8]) {
    let starts = bytes.indices.reversed()
    let offset = starts.first { bytes[$0...].starts(with: text) } ?? bytes.count
    bytes.insert(contentsOf: markup, at: offset)
    for index in places.indices where places[index].offset >= offset {
      places[index].offset += markup.count
    }
  }

  /// The copy of one visitor.
  ///
  /// - Parameters:
  ///   - visitor: Whose it is.
  ///   - typed: What was typed into the page's field, if anything.
  ///   - error: The refusal that it tells of, if any.
  /// - Returns: The page in UTF-8.
  func bytes(
    for visitor: Visitor,
    typed: TypedText? = nil,
    telling error: AuthError? = nil
  ) -> [UInt8] {
    var stamped: [UInt8] = []
    stamped.reserveCapacity(bytes.count + places.count * Self.stampLength)
    var start = 0
    for (offset, stamp) in places {
      stamped += bytes[start..<offset]
      let text = visitor.text(of: stamp, typed: typed, telling: error)
      notation.append(text, to: &stamped)
      start = offset
    }
    stamped += bytes[start...]
    return stamped
  }

  /// More than any stamp takes, in bytes, so that a copy is one allocation.
  private static let stampLength = 64
}
