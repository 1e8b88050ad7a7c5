/// What is wrong with a JSON text, for the person who wrote it.
///
/// It quotes the name of a member, so it is not for answers of an auth API.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// From there on it is not JSON.
    case malformed
    /// An array or object is nested deeper than the limit.
    case nestedTooDeep(limit: Int)
    /// A number is too large to be represented, such as `1e999`.
    case numberTooLarge
    /// An object already has a member of that name: only the writer knows which of them is meant
    /// (RFC 8259, section 4).
    case repeatedName(String)
  }

  public let reason: Reason
  public let position: TextPosition

  init(_ reason: Reason, at position: TextPosition) {
    self.reason = reason
    self.position = position
  }

  /// The first fault of a text; nil if it is JSON, repeats no name, and all its numbers can be represented.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark; less than 4 GiB.
  ///   - depthLimit: How deep arrays and objects may be nested.
  public init?(in bytes: [UInt8], depthLimit: Int = 32) {
    do throws(JSONScanner.Malformed) {
      let nodes = try JSONScanner.nodes(of: bytes, depthLimit: depthLimit)
      let document = JSONDocument(bytes, nodes: nodes)
      let faults: [(reason: Reason, offset: Int)?] = [
        document.firstRepeatedName.map { (reason: .repeatedName($0.name), offset: $0.offset) },
        document.firstBoundlessNumber.map { (reason: .numberTooLarge, offset: $0) },
      ]
      guard let first = faults.compactMap(\.self).min(by: { $0.offset < $1.offset }) else {
        return nil
      }
      self.init(first.reason, at: TextPosition(of: first.offset, in: bytes))
    } catch {
      self.init(
        error.isTooDeep ? .nestedTooDeep(limit: depthLimit) : .malformed,
        at: TextPosition(of: error.offset, in: bytes)
      )
    }
  }

  /// `it is not JSON: line 2, column 6`, or `key 'name' appears twice: line 3, column 4`.
  public var description: String {
    switch reason {
    case .malformed: "it is not JSON: \(position)"
    case .nestedTooDeep(let limit):
      "it is nested too deeply: more than \(limit) arrays and objects in each other: \(position)"
    case .numberTooLarge: "it has a number that is too large: \(position)"
    case .repeatedName(let name): "key '\(name)' appears twice: \(position)"
    }
  }
}

/// A place in a text, as editors count it: both from 1, columns in Unicode's code points.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  public let line: Int
  public let column: Int

  /// - Parameters:
  ///   - offset: The number of bytes before it.
  ///   - bytes: UTF-8, with or without a byte order mark, which takes no column.
  public init(of offset: Int, in bytes: [UInt8]) {
    let lines = bytes[..<offset].split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    line = lines.count
    let before = lines.last ?? []
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = before.startIndex == 0 && before.starts(with: mark)
    column = before.count { !UTF8.isContinuation($0) } + (isMarked ? 0 : 1)
  }

  /// The place of the name of a member; nil if the text is not JSON, or has no such member.
  ///
  /// - Parameters:
  ///   - path: The names that lead to it from the outermost object.
  ///   - bytes: UTF-8, with or without a byte order mark; less than 4 GiB.
  public init?(ofMember path: [String], in bytes: [UInt8]) {
    guard let document = JSONDocument(bytes) else { return nil }
    var value = document.root
    for name in path {
      guard document.nodes[value].kind == .object,
        let member = document.member(name, of: value)
      else { return nil }
      value = member
    }
    guard value != document.root else { return nil }
    // The node before a member's value is its name, which begins behind its quotation mark.
    self.init(of: Int(document.nodes[value - 1].bytes.lowerBound) - 1, in: bytes)
  }

  public var description: String { "line \(line), column \(column)" }
}
