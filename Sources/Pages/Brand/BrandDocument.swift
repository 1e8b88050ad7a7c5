public import Foundation
import AuthFlow

extension Brand {
  /// Reads a brand file.
  ///
  /// - Throws: `BrandFault` with every key that is unknown or has a value it cannot have, and every
  ///   pair of colours that lacks contrast.
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

  /// Takes what was typed into a form; what was left empty is not said.
  ///
  /// - Parameter texts: By the names of keys; those of no key are passed over.
  /// - Throws: `BrandFault` with everything that is wrong with it.
  public init(typed texts: [String: String]) throws(BrandFault) {
    self.init()
    let problems = Key.allCases.compactMap { key -> BrandProblem? in
      guard let text = texts[key.name]?.trimmingCharacters(in: .whitespaces), !text.isEmpty,
        !take(text, at: key)
      else { return nil }
      return .wrong(key, "\"\(text)\"", text)
    }
    try check(problems)
  }

  /// The same, with what else is wrong with what was typed as far as it is anything.
  ///
  /// - Parameters:
  ///   - texts: By the names of keys; those of no key are passed over.
  ///   - check: Throws what values alone do not tell, such as a file that is not there.
  /// - Throws: `BrandFault` with everything that is wrong with it, values first.
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

  /// What was typed as far as it is anything: a brand to look at while it is still made.
  public static func sketch(typed texts: [String: String]) -> Brand {
    var brand = Brand()
    for key in Key.allCases {
      _ = texts[key.name].map { brand.take($0.trimmingCharacters(in: .whitespaces), at: key) }
    }
    return brand
  }

  /// What it says, by the names of its keys.
  public var texts: [String: String] {
    Key.allCases.reduce(into: [:]) { texts, key in texts[key.name] = text(at: key) }
  }

  private func check(_ problems: [BrandProblem]) throws(BrandFault) {
    // Colours are looked at where all of them could be read: their neighbours are missing else.
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
    // A dot in a file is part of a name: it leads into no object.
    guard let key = Key.byName[name], key.isColor == (group != nil) else {
      return [.unknown(name, in: group)]
    }
    let text = key.text(of: member.value)
    guard let text, take(text, at: key) else {
      return [.wrong(key, member.value.json, text)]
    }
    return []
  }

  /// The brand as its file says it, in UTF-8.
  public var json: Data {
    var members: [String] = []
    for key in Key.allCases {
      switch key {
      case .color(let scheme, let role):
        // All of a scheme stand where its first one would.
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

  /// The names of the members of a brand file, or of an object in it, in their order.
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

  /// A value of its JSON type, as text.
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
  /// A value as it is written, and what that says; nil where it is none of the key's type.
  fileprivate static func wrong(_ key: Brand.Key, _ value: String, _ text: String?) -> Self {
    let expectation = key.expectation(insteadOf: text)
    return Self(at: [key.name], "'\(key.name)' is \(value): \(expectation) is expected")
  }

  fileprivate static func unknown(_ name: String, in group: String?) -> Self {
    let known = Brand.Key.names(in: group)
    let words = "\(known.dropLast().joined(separator: ", ")) and \(known.last ?? "")"
    return Self(at: [name], "unknown key '\(name)': known are \(words)")
  }
}

extension JSONValue {
  /// In one line.
  fileprivate var json: String {
    var writer = JSONWriter(capacity: 64)
    writer.value(self)
    return String(decoding: writer.still.bytes, as: UTF8.self)
  }
}
