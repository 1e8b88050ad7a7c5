import AuthFlow

/// A value that differs on each visitor's copy of a page.
///
/// A template or twin determines where a stamp goes, but cannot read its value. A page kept for
/// other visitors therefore never contains anybody's token.
enum Stamp: Hashable, Sendable {
  /// The anti-forgery token of a form that is posted to that address.
  case formToken(Address)
  /// When the page was looked at, in milliseconds: a script counts from then.
  case now
  /// The request's name in the log, which support asks for.
  case reference
  /// The auth API's identifier of its answer, which support asks for instead.
  case traceID
  /// What was typed into the page's field.
  case typed
  /// The address with the typed text as a parameter, if that is an email address.
  case addressCarryingTyped(Address, as: String)
}

/// A rendered page without the stamps of each visitor.
///
/// Every page is rendered as one, whether it is kept for others or not.
struct Still: Sendable {
  /// The escaping of text.
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
  ///   - notation: The escaping of text.
  ///   - capacity: The expected size in bytes, which is allocated at once.
  init(_ notation: Notation, capacity: Int) {
    self.notation = notation
    bytes.reserveCapacity(capacity)
  }

  /// Writes something, and returns whether it contains no stamps and is therefore the same for
  /// everyone.
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

  /// Inserts markup before the last occurrence of a text, or at the end if there is none.
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
  ///   - visitor: The visitor.
  ///   - typed: The text typed into the page's field, if any.
  ///   - error: The auth API's refusal that the page reports, if any.
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

  /// The length of a long stamp, in bytes, so that a copy usually takes one allocation.
  private static let stampLength = 64
}
