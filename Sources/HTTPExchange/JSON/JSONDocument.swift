/// A JSON text whose values have been located, each to be decoded when it is asked for.
///
/// Source: RFC 8259.
final class JSONDocument: Sendable {
  /// A value, or the name of a member, and its place in the bytes.
  struct Node {
    enum Kind: UInt8 {
      case null, `true`, `false`, number, array, object
      /// A string without escapes, and one with escapes.
      case text, escapedText
    }

    let kind: Kind
    /// For a string, what is between its quotation marks.
    let bytes: Range<UInt32>
    /// The place of the node after this one and everything inside it.
    var next: Int
  }

  /// A value does not have the shape that was asked for.
  ///
  /// It gives no detail, which would quote the value.
  struct Mismatch: Error {}

  /// Documents with deeper nesting are not read (S27).
  static let depthLimit = 32

  let bytes: [UInt8]
  /// In the order of the bytes: an array is followed by its elements, an object by the name and the
  /// value of each member in turn.
  let nodes: [Node]

  /// The place of the whole value.
  let root = 0

  /// Nil if the bytes are not JSON, or nested too deep.
  ///
  /// - Parameter bytes: UTF-8, with or without a byte order mark; less than 4 GiB.
  convenience init?(_ bytes: [UInt8]) {
    // Where the fault is does not matter to a reader that takes only JSON.
    guard let nodes = try? JSONScanner.nodes(of: bytes) else { return nil }
    self.init(bytes, nodes: nodes)
  }

  /// - Parameters:
  ///   - bytes: The text.
  ///   - nodes: The nodes that were found in it.
  init(_ bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  // MARK: Arrays and objects

  /// The places of an array's elements, nested ones included: the first is the lower bound, and each
  /// node's `next` leads on to the one after it; nil if the node is not an array.
  func elements(of node: Int) -> Range<Int>? {
    nodes[node].kind == .array ? node + 1..<nodes[node].next : nil
  }

  /// The place of the value of the first member with that name; nil if there is none.
  func member(_ name: String, of object: Int) -> Int? {
    var name = name
    return name.withUTF8 { name in
      var place = object + 1
      let end = nodes[object].next
      while place < end {
        if isName(place, name) { return place + 1 }
        place = nodes[place + 1].next
      }
      return nil
    }
  }

  private func isName(_ place: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let node = nodes[place]
    if node.kind == .escapedText { return text(at: place)?.utf8.elementsEqual(name) == true }
    guard node.bytes.count == name.count else { return false }
    let begin = Int(node.bytes.lowerBound)
    for index in name.indices where bytes[begin + index] != name[index] { return false }
    return true
  }

  /// The names of an object's members in their order, each with the place of its value; members whose
  /// name is not valid Unicode are left out.
  private func members(of object: Int) -> [(name: String, value: Int)] {
    var members: [(name: String, value: Int)] = []
    var place = object + 1
    while place < nodes[object].next {
      if let name = text(at: place) { members.append((name, place + 1)) }
      place = nodes[place + 1].next
    }
    return members
  }

  /// The names of an object's members, each once.
  func names(of object: Int) -> [String] {
    let names = members(of: object).map(\.name)
    guard names.count > Self.quickMemberCount else {
      return names.indices.compactMap { place in
        let name = names[place]
        return names[..<place].contains { $0.hasBytes(of: name) } ? nil : name
      }
    }
    var seen: Set<[UInt8]> = []
    return names.filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// The first name that occurs twice in one object, and the offset of its second occurrence.
  var firstRepeatedName: (name: String, offset: Int)? {
    let objects = nodes.indices.filter { nodes[$0].kind == .object }
    let repeated = objects.compactMap { object -> (name: String, offset: Int)? in
      var seen: Set<[UInt8]> = []
      let second = members(of: object).first { !seen.insert(Array($0.name.utf8)).inserted }
      // The offset is that of the opening quotation mark.
      return second.map { ($0.name, Int(nodes[$0.value - 1].bytes.lowerBound) - 1) }
    }
    return repeated.min { $0.offset < $1.offset }
  }

  /// The result of `member` for all names at once; nil for an object with so few members that a search
  /// takes less time.
  ///
  /// Without it, reading each of a hundred thousand members would search through all of them.
  func index(of object: Int) -> [[UInt8]: Int]? {
    var count = 0
    var place = object + 1
    while place < nodes[object].next, count <= Self.quickMemberCount {
      count += 1
      place = nodes[place + 1].next
    }
    guard count > Self.quickMemberCount else { return nil }
    return Dictionary(members(of: object).map { (Array($0.name.utf8), $0.value) }) { first, _ in
      first
    }
  }

  private static let quickMemberCount = 64

  // MARK: Texts and numbers

  /// The string; nil if the value is not one, or if its bytes or escapes are not valid Unicode.
  func text(at place: Int) -> String? {
    switch nodes[place].kind {
    case .text: letters(at: place)
    case .escapedText: JSONEscapes.text(of: bytes[range(of: place)])
    case .null, .true, .false, .number, .array, .object: nil
    }
  }

  /// The offset of the first number too large for a `Double`; nil if there is none.
  ///
  /// Source: RFC 8259, section 6.
  var firstBoundlessNumber: Int? {
    let first = nodes.indices.first { place in
      number(at: place).map { Double($0)?.isFinite ?? false } == false
    }
    return first.map { Int(nodes[$0].bytes.lowerBound) }
  }

  /// The number as it is written; nil if the value is not one.
  func number(at place: Int) -> String? {
    nodes[place].kind == .number ? letters(at: place) : nil
  }

  private func letters(at place: Int) -> String? {
    let bytes = bytes
    let all = bytes.span
    let letters = all.extracting(range(of: place))
    return String(utf8: letters)
  }

  private func range(of place: Int) -> Range<Int> {
    let bytes = nodes[place].bytes
    return Int(bytes.lowerBound)..<Int(bytes.upperBound)
  }
}
