public import Foundation
import AuthFlow
import Spelling

extension Brand {
  /// Reads a brand file.
  ///
  /// - Throws: `BrandFault` with every unknown key and invalid value, or else every pair of colours
  ///   that lacks contrast.
  public init(json: Data) throws(BrandFault) {
    self.init()
    let document: JSONValue
    do {
      document = try JSONDecoder().decode(JSONValue.self, from: json)
    } catch {
      throw BrandFault(BrandProblem(at: [], "it is not JSON"))
    }
    guard case .object(let members) = document else {
      throw BrandFault(BrandProblem(at: [], "it is not a JSON object"))
    }
    let problems = members.flatMap { read($0) }
    try check(problems)
  }

  /// Creates a brand from the fields of a form; empty ones are ignored.
  ///
  /// - Parameter texts: The texts by the names of keys; unknown names are ignored.
  /// - Throws: `BrandFault` with everything that is wrong with it.
  public init(typed texts: [String: String]) throws(BrandFault) {
    self.init()
    let problems = Key.allCases.compactMap { key -> BrandProblem? in
      guard let text = texts[key.name]?.trimmingCharacters(in: .whitespaces), !text.isEmpty,
        !take(text, at: key)
      else { return nil }
      return .wrong(key, "\"\(text.brief)\"", text)
    }
    try check(problems)
  }

  /// Creates a brand from the fields of a form, and also checks its usable part in another way.
  ///
  /// - Parameters:
  ///   - texts: The texts by the names of keys; unknown names are ignored.
  ///   - check: Checks what the values alone do not show, such as that files exist.
  /// - Throws: `BrandFault` with everything that is wrong, faults of values first.
  public init(
    typed texts: [String: String],
    checkedBy check: (Brand) throws(BrandFault) -> Void
  ) throws(BrandFault) {
    self = .sketch(typed: texts)
    var problems: [BrandProblem] = []
    do throws(BrandFault) {
      self = try Brand(typed: texts)
    } catch {
      problems = error.problems
    }
    do throws(BrandFault) {
      try check(self)
    } catch {
      problems += error.problems
    }
    if let fault = BrandFault(problems) { throw fault }
  }

  /// A brand of the valid fields alone, for a preview while it is being made.
  public static func sketch(typed texts: [String: String]) -> Brand {
    var brand = Brand()
    for key in Key.allCases {
      _ = texts[key.name].map { brand.take($0.trimmingCharacters(in: .whitespaces), at: key) }
    }
    return brand
  }

  /// The values of the brand by the names of their keys.
  public var texts: [String: String] {
    Key.allCases.reduce(into: [:]) { texts, key in texts[key.name] = text(at: key) }
  }

  private func check(_ problems: [BrandProblem]) throws(BrandFault) {
    // Contrast is checked only if every value is valid, since a colour's neighbour might be
    // missing.
    if let fault = BrandFault(problems.isEmpty ? contrastProblems : problems) { throw fault }
  }

  private mutating func read(_ member: JSONValue.Member, in group: String? = nil) -> [BrandProblem]
  {
    let name = group.map { "\($0).\(member.name)" } ?? member.name
    if group == nil, Scheme(rawValue: name) != nil {
      guard case .object(let members) = member.value else {
        return [BrandProblem(at: [name], "'\(name)' is not an object of colours")]
      }
      return members.flatMap { read($0, in: name) }
    }
    // A dot in a name of the file does not denote a nested object.
    guard let key = Key.byName[name], key.isColor == (group != nil) else {
      return [.unknown(member.name, in: group)]
    }
    let text = key.text(of: member.value)
    guard let text, take(text, at: key) else {
      return [.wrong(key, member.value.brief, text)]
    }
    return []
  }

  /// The content of a brand file, in UTF-8.
  public var json: Data {
    var members: [String] = []
    for key in Key.allCases {
      switch key {
      case .color(let scheme, let role):
        // All colours of a scheme are written where its first one would be.
        guard role == Role.allCases.first else { continue }
        let colors = Role.allCases.compactMap { role in
          self[scheme][role].map { "\"\(role.rawValue)\": \"\($0)\"" }
        }
        guard !colors.isEmpty else { continue }
        members.append("\"\(scheme.rawValue)\": {\(colors.joined(separator: ", "))}")
      case .radius: if let radius { members.append("\"radius\": \(radius)") }
      case .name, .support, .terms, .privacyPolicy, .file:
        guard let text = text(at: key) else { continue }
        members.append("\"\(key.name)\": \(JSONValue.string(text).json)")
      }
    }
    return Data("{\n\(members.map { "  \($0)" }.joined(separator: ",\n"))\n}\n".utf8)
  }
}

extension Brand.Key {
  fileprivate var isColor: Bool {
    if case .color = self { return true }
    return false
  }

  /// The member names of a brand file, or of a nested object, in order.
  fileprivate static func names(in group: String?) -> [String] {
    var names: [String] = []
    for key in allCases {
      let name: String? =
        switch key {
        case .color(let scheme, let role):
          group == nil ? scheme.rawValue : group == scheme.rawValue ? role.rawValue : nil
        case .name, .radius, .support, .terms, .privacyPolicy, .file: group == nil ? key.name : nil
        }
      if let name, names.last != name { names.append(name) }
    }
    return names
  }

  /// The text of a JSON value; nil if it has the wrong type for the key.
  fileprivate func text(of value: JSONValue) -> String? {
    switch (self, value) {
    case (.radius, .number(let number)): String(number)
    case (.radius, _): nil
    case (_, .string(let text)): text
    default: nil
    }
  }
}

extension BrandProblem {
  /// The problem of an invalid value: as it is written, and its text, which is nil for a wrong
  /// type.
  fileprivate static func wrong(_ key: Brand.Key, _ value: String, _ text: String?) -> Self {
    let expectation = key.expectation(insteadOf: text)
    return Self(at: [key.name], "'\(key.name)' is \(value): \(expectation) is expected")
  }

  /// The problem of a member whose name is unknown in its group, or in the brand itself.
  fileprivate static func unknown(_ member: String, in group: String?) -> Self {
    let start = group.map { "\($0)." } ?? ""
    let known = Brand.Key.names(in: group)
    let words =
      member.nearestName(among: known).map { "did you mean '\(start)\($0)'?" }
      ?? "known keys are \(known.dropLast().joined(separator: ", ")) and \(known.last ?? "")"
    return Self(at: ["\(start)\(member)"], "unknown key '\(start)\(member.brief)': \(words)")
  }
}

extension String {
  /// The text, or the beginning of one that is too long for a message.
  fileprivate var brief: String { cut(to: 100, marking: "…") }
}

extension JSONValue {
  /// In one line, of which too long a text shows only its beginning.
  fileprivate var brief: String {
    if case .string(let text) = self { JSONValue.string(text.brief).json } else { json.brief }
  }

  /// In one line.
  fileprivate var json: String {
    var writer = JSONWriter(capacity: 64)
    writer.value(self)
    return String(decoding: writer.still.bytes, as: UTF8.self)
  }
}
