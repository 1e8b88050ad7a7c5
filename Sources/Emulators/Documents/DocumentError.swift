internal import HTTPExchange

/// Why a document of settings or accounts is refused, in words for the person who wrote it.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the document, as `[3].locked.seconds`; empty for the whole.
  private var place = ""
  /// What is wrong there, without the place.
  public private(set) var reason: String

  public init(_ reason: String) {
    self.reason = reason
  }

  public var description: String { place.isEmpty ? reason : "'\(place)': \(reason)" }

  /// The member of the whole document in which it is; nil where it is in none.
  public var member: String? {
    place.isEmpty ? nil : String(place.prefix { $0 != "." && $0 != "[" })
  }

  static let wrongType = Self("wrong type")

  /// A member that no such object has, with the one that was meant, else with all that it may have.
  static func unknownKey(_ name: String, besides known: [String]) -> Self {
    if let nearest = name.nearestName(among: known) {
      return Self("unknown key '\(name)': did you mean '\(nearest)'?")
    }
    let words =
      known.count < 2
      ? "known is \(known.joined())"
      : "known are \(known.dropLast().joined(separator: ", ")) and \(known[known.count - 1])"
    return Self("unknown key '\(name)': \(words)")
  }

  /// What no two accounts may have is there already.
  static func taken(_ value: String, by member: String) -> Self {
    Self("'\(value)' is taken").inMember(member)
  }

  /// The same error, seen from the object that has it in a member.
  func inMember(_ name: String) -> Self { within(name) }

  /// The same error, seen from the array that has it in an element.
  func inElement(_ index: Int) -> Self { within("[\(index)]") }

  private func within(_ step: String) -> Self {
    var error = self
    error.place = place.isEmpty || place.hasPrefix("[") ? step + place : "\(step).\(place)"
    return error
  }
}

extension JSON {
  /// The document that bytes are.
  ///
  /// - Throws: `DocumentError` with the place from which on they are not JSON.
  package init(document bytes: some Collection<UInt8>) throws(DocumentError) {
    let bytes = Array(bytes)
    do throws(JSONReader.Malformed) {
      self = try JSONReader.value(of: bytes)
    } catch {
      throw DocumentError("it is not JSON: \(TextPosition(of: error.offset, in: bytes))")
    }
  }

  /// The document that somebody wrote, who is told of a member that is there twice.
  ///
  /// - Throws: `DocumentError` with the place of what is wrong.
  package init(writtenDocument bytes: some Collection<UInt8>) throws(DocumentError) {
    let bytes = Array(bytes)
    if let fault = JSONFault(in: bytes, depthLimit: JSONReader.depthLimit) {
      throw DocumentError(fault.description)
    }
    self = try JSON(document: bytes)
  }
}
