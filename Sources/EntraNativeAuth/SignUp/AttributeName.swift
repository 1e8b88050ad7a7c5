internal import AuthFlow

/// The names of a sign-up's fields, on the wire and on the page.
///
/// Source: <doc:EntraSigningUp#Attributes>; F11.
enum AttributeName {
  private static let known: [String: Field] = [
    "givenName": .firstName, "surname": .lastName, "displayName": .displayName,
    "jobTitle": .jobTitle, "streetAddress": .streetAddress, "postalCode": .postalCode,
    "city": .city, "state": .state, "country": .country,
  ]

  /// Fields with a meaning of their own here; no attribute may have the name of one.
  private static let reserved: Set<String> = [
    "password", "code", "identifier", "form_token", "legal_accepted", "email_address", "choice",
    "phone_number", "username", "factor", "method", "contact", "scopes", "identifier_hint",
    "first_name", "last_name",
  ]
  private static let mark = "attribute_"
  private static let customMark = "extension_"

  static func field(of name: String) -> Field {
    if let field = known[name] { return field }
    return Field(named: isReserved(name) ? mark + name : name)
  }

  static func name(of field: Field) -> String {
    if let name = known.first(where: { $0.value == field })?.key { return name }
    guard field.name.hasPrefix(mark), isReserved(field.name) else { return field.name }
    return String(field.name.dropFirst(mark.count))
  }

  /// Whether a name is reserved, with or without marks before it: so each mark can be removed
  /// again, and no two attributes share a field.
  private static func isReserved(_ name: String) -> Bool {
    var bare = name[...]
    while bare.hasPrefix(mark) { bare = bare.dropFirst(mark.count) }
    return reserved.contains(String(bare))
  }

  /// The name for people: `displayName` is "Display name"; a custom one is without its mark and its
  /// app's id.
  static func label(of name: String) -> String {
    var words = ""
    for letter in bare(name) {
      if letter.isUppercase, !words.isEmpty, words.last != " " { words += " " }
      words += letter == "_" ? " " : letter.lowercased()
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The name without what marks a custom attribute: its prefix, and the app's id if that follows.
  ///
  /// The id is 32 hexadecimal digits. A name that consists of such marks keeps the last one.
  private static func bare(_ name: String) -> Substring {
    let custom = name.dropFirst(customMark.count)
    guard name.hasPrefix(customMark), !custom.isEmpty else { return name[...] }
    let app = custom.prefix { $0 != "_" }
    let rest = custom.dropFirst(app.count + 1)
    return app.count == 32 && app.allSatisfy(\.isHexDigit) && !rest.isEmpty ? rest : custom
  }

  /// The fields that the service wants filled in, in its order, each once.
  static func entries(for attributes: [ServerError.Attribute]) -> [SignUpForm.Entry] {
    var seen: Set<String> = []
    return attributes.filter { seen.insert($0.name).inserted }.map { attribute in
      let field = field(of: attribute.name)
      let isKnown = known[attribute.name] != nil
      return SignUpForm.Entry(
        field,
        isRequired: attribute.isRequired ?? true,
        label: isKnown ? nil : label(of: attribute.name),
        choices: attribute.choices,
        attribute: attribute.name,
        format: attribute.format
      )
    }
  }
}
