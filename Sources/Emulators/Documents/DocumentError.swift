internal import HTTPExchange
internal import Spelling

/// Why a document of settings or accounts is refused, worded for the person who wrote it.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the document, such as `[3].locked.seconds`; empty for the whole document.
  public private(set) var place = ""
  /// What is wrong there, without the place.
  public private(set) var reason: String

  public init(_ reason: String) {
    self.reason = reason
  }

  public var description: String { place.isEmpty ? reason : "'\(place)': \(reason)" }

  static let wrongType = Self("wrong type")

  /// The error for an unknown member: it suggests the nearest known name, or lists all of them.
  static func unknownKey(_ name: String, besides known: [String]) -> Self {
    if let nearest = name.nearestName(among: known) {
      return Self("unknown key '\(name)': did you mean '\(nearest)'?")
    }
    let words =
      known.count < 2
      ? "the only known key is \(known.joined())"
      : "known keys are \(known.dropLast().joined(separator: ", ")) and \(known[known.count - 1])"
    return Self("unknown key '\(name)': \(words)")
  }

  /// The error for a value that has to be unique and is in use already.
  static func taken(_ value: String, by member: String) -> Self {
    Self("'\(value)' is taken").inMember(member)
  }

  /// The same error with the place as seen from the object that contains the member.
  func inMember(_ name: String) -> Self { within(name) }

  /// The same error with the place as seen from the array that contains the element.
  func inElement(_ index: Int) -> Self { within("[\(index)]") }

  private func within(_ step: String) -> Self {
    var error = self
    error.place = place.isEmpty || place.hasPrefix("[") ? step + place : "\(step).\(place)"
    return error
  }
}

extension JSON {
  /// Reads a document.
  ///
  /// - Throws: `DocumentError` with the position from which the bytes are not JSON.
  package init(document bytes: some Collection<UInt8>) throws(DocumentError) {
    let bytes = Array(bytes)
    do throws(JSONReader.Malformed) {
      self = try JSONReader.value(of: bytes)
    } catch {
      throw DocumentError("it is not JSON: \(TextPosition(of: error.offset, in: bytes))")
    }
  }

  /// Reads a document that a person wrote; unlike `init(document:)`, refuses duplicate members.
  ///
  /// - Throws: `DocumentError` with the position of the fault.
  package init(writtenDocument bytes: some Collection<UInt8>) throws(DocumentError) {
    let bytes = Array(bytes)
    if let fault = JSONFault(in: bytes, depthLimit: JSONReader.depthLimit) {
      throw DocumentError(fault.description)
    }
    self = try JSON(document: bytes)
  }
}
