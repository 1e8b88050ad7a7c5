internal import Foundation

/// The attributes that sign-up can ask for, and their rules.
///
/// Source: Microsoft, native authentication API reference, "User attributes".
struct EntraAttributes: Sendable {
  typealias Rule = InstanceSettings.AttributeRule

  static let builtIn: Set<String> = [
    "displayName", "givenName", "surname", "jobTitle", "city", "state", "country", "postalCode",
    "streetAddress",
  ]
  /// A regular expression for the names of a tenant's custom attributes.
  static let ownPattern = "^extension_.+$"
  /// The limit for names and values, in Unicode scalars.
  static let maximumLength = 256

  let rules: [Rule]

  init(_ settings: InstanceSettings) {
    var rules = settings.entraRequiredAttributes
    if settings.names == .required {
      for name in ["givenName", "surname"] where !rules.contains(where: { $0.name == name }) {
        rules.append(Rule(name: name))
      }
    }
    self.rules = rules
  }

  /// The missing attributes to ask for; empty once no required one is missing.
  func asked(having attributes: [String: String]) -> [Rule] {
    let missing = rules.filter { attributes[$0.name]?.isEmpty != false }
    return missing.contains(where: \.isRequired) ? missing : []
  }

  /// Reads the parameter `attributes`: the values by name, and the names of bad ones.
  ///
  /// Unknown names are ignored, and empty values count as missing.
  /// - Throws: `invalid_request` if the text is not a JSON object.
  func read(_ text: String) throws(EntraRefusal) -> (values: [String: String], invalid: [String]) {
    guard let json = JSON(decoding: Array(text.utf8)),
      case .object(let members) = json
    else { throw .malformed("The attributes are not a JSON object.") }
    var values: [String: String] = [:]
    var invalid: [String] = []
    for member in members where isKnown(member.name) {
      guard let value = member.value.string, isPlain(value),
        value.isEmpty || rules.filter({ $0.name == member.name }).allSatisfy({ $0.admits(value) })
      else {
        invalid.append(member.name)
        continue
      }
      if !value.isEmpty { values[member.name] = value }
    }
    return (values, invalid)
  }

  private func isKnown(_ name: String) -> Bool {
    Self.builtIn.contains(name) || rules.contains { $0.name == name }
      || name.wholeMatch(of: /extension_[0-9a-fA-F]{32}_.+/) != nil
  }

  /// The name as the API spells it, if it is a built-in one in another case or with blanks around
  /// it; any other name unchanged.
  static func spelled(_ name: String) -> String {
    let spelling = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return builtIn.first { $0.lowercased() == spelling } ?? name
  }

  /// Whether an attribute may have the name.
  static func isName(_ name: String) -> Bool {
    (1...maximumLength).contains(name.unicodeScalars.count)
      && !name.unicodeScalars.contains {
        $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F
      }
  }

  private func isPlain(_ value: String) -> Bool {
    value.unicodeScalars.count <= Self.maximumLength
      && !value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}

extension InstanceSettings.AttributeRule {
  /// Whether the value satisfies the rule.
  fileprivate func admits(_ value: String) -> Bool {
    switch kind {
    case .string: break
    case .boolean: guard ["true", "false"].contains(value.lowercased()) else { return false }
    case .integer, .int: guard Int64(value) != nil else { return false }
    }
    // The settings accept only valid patterns.
    guard let pattern = options?.regex, let regex = try? NSRegularExpression(pattern: pattern)
    else { return true }
    let whole = NSRange(value.startIndex..., in: value)
    return regex.firstMatch(in: value, range: whole) != nil
  }
}

extension InstanceSettings {
  /// The names of the attributes that every tenant has.
  public static let builtInAttributes = EntraAttributes.builtIn.sorted()
  /// A regular expression for the names of a tenant's custom attributes.
  public static let ownAttributePattern = EntraAttributes.ownPattern
}
