internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Masking

/// Masks the secrets in traces.
///
/// Requests are masked before they are stored, since they may have a person's own password. Answers
/// are masked when somebody reads them, which is rare: their secrets are the emulator's own and are
/// in the world's database anyway.
enum TraceSecrets {
  // MARK: What is sent

  static func masked(_ form: FormData) -> [TracedCall.Parameter] {
    withRests(form).map { field, isRest in
      .init(
        name: isRest ? "…" : shownName(field.name),
        value: masked(field.value, sentAs: field.name)
      )
    }
  }

  /// The fields, each with whether its name may be the rest of a secret: one that was not encoded
  /// ends at a `&` in it, and what follows looks like a field.
  private static func withRests(_ form: FormData) -> [(field: FormData.Field, isRest: Bool)] {
    let hasBare = form.fields.contains(where: \.isBare)
    var hasSecret = false
    return form.fields.map { field in
      let isRest = hasSecret && field.isBare
      hasSecret = hasSecret || (hasBare && mask(sentAs: field.name) != nil)
      return (field, isRest)
    }
  }

  /// A field name, cut off where it stops looking like one.
  ///
  /// If JSON is sent as a form, or a form is escaped once too often, the name contains the values
  /// as well.
  private static func shownName(_ name: String) -> String {
    var text = name
    let isPlain = text.withUTF8 { $0.count <= nameLengthLimit && $0.allSatisfy(isOfName) }
    guard !isPlain else { return name }
    let beginning = name.utf8.prefix { isOfName($0) }.prefix(nameLengthLimit)
    return "\(String(decoding: beginning, as: UTF8.self))…"
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: byte.isASCIILetterOrDigit
    }
  }

  static func masked(_ value: String, sentAs name: String) -> String {
    value.isEmpty ? value : mask(sentAs: name) ?? shown(value)
  }

  /// The values of a form that are masked, and the names that are.
  private static func secrets(in form: FormData) -> [String] {
    withRests(form).compactMap { field, isRest in
      if isRest { return field.name }
      return mask(sentAs: field.name) == nil ? nil : field.value
    }
  }

  static func masked(_ fields: HTTPFields) -> HTTPFields {
    var fields = fields
    for field in fields where !plainFields.contains(field.name.canonicalName) {
      fields[field.name] = masked(field)
    }
    return fields
  }

  private static func masked(_ field: HTTPField) -> String {
    let name = field.name.canonicalName
    if ["authorization", "cookie"].contains(name) { return "<client token>" }
    return telling.contains { name.contains($0) } ? "<secret>" : shown(field.value)
  }

  /// The mask for the value of a parameter; nil if it is not a secret.
  static func mask(sentAs name: String) -> String? {
    if let known = known.withLock({ $0[name] }) { return known }
    let mask = newMask(sentAs: name)
    if name.utf8.count <= nameLengthLimit {
      known.withLock { if $0.count < nameLimit { $0[name] = .some(mask) } }
    }
    return mask
  }

  private static func newMask(sentAs name: String) -> String? {
    let name = name.lowercased()
    if name.contains("password") { return "<password>" }
    if harmlessCodes.contains(name) { return nil }
    if name == "oob" || name.hasSuffix("code") { return "<code>" }
    if let kind = kinds.first(where: { name.contains($0) }) { return "<\(kind)>" }
    // No endpoint reads such a field, but if its name was mistyped, it has the same secret.
    return name.split { !$0.isLetter }.contains { mistyped.contains($0) } ? "<secret>" : nil
  }

  /// The masks by parameter name, so that each name is examined once.
  private static let known = Locked<[String: String?]>([:])
  /// The maximum number of cached names, so that made-up ones cannot fill the memory.
  private static let nameLimit = 256
  private static let nameLengthLimit = 64
  private static let harmlessCodes: Set = ["postal_code", "country_code", "postalcode", "zipcode"]
  private static let mistyped: Set<Substring> = [
    "code", "codes", "otp", "totp", "passcode", "pin", "pass", "passwd", "pwd", "passwort",
  ]
  private static let kinds = [
    "token", "ticket", "secret", "verifier", "signature", "nonce", "jwt", "dev_session",
    "code_challenge", "assertion",
  ]
  private static let plainFields: Set = [
    "accept", "accept-language", "content-type", "content-length", "host", "user-agent",
    "clerk-api-version", "x-vestibule-world", "client-request-id",
  ]
  private static let telling = [
    "auth", "token", "secret", "cookie", "key", "session", "password", "jwt",
  ]

  // MARK: What is answered

  static func answered(_ field: HTTPField) -> String {
    switch field.name.canonicalName {
    case "authorization": "<client token>"
    case "set-cookie": "\(field.value.prefix { $0 != "=" })=<cookie>"
    default: masked(field)
    }
  }

  /// The mask for a text in an answer under that name; nil if it is not a secret.
  fileprivate static func mask(answeredAs name: String) -> String? {
    let name = name.lowercased()
    switch name {
    case "token_type": return nil
    case _ where name.contains("endpoint") || name.hasSuffix("_supported"): return nil
    case "codes", "backup_codes", "backup_code": return "<code>"
    case "uri", "client_info", "nonce": return "<secret>"
    default: return answeredKinds.first { name.contains($0) }.map { "<\($0)>" }
    }
  }

  /// Values of an instance's settings, as in `"password": "required"`, which are not secrets.
  fileprivate static let settings: Set = ["on", "off", "required", "optional"]

  private static let answeredKinds = [
    "token", "ticket", "secret", "verifier", "signature", "jwt", "password",
  ]

  // MARK: In any text

  /// Masks what is a secret in any text: signed tokens, those of development browsers, keys of
  /// authenticator apps, and secrets in links.
  static func shown(_ text: String) -> String {
    // Each of these has at least 8 bytes, and one of the bytes of `isInSecrets`.
    guard text.utf8.count >= 8, text.utf8.contains(where: isInSecrets) else { return text }
    var text = text
    if holds("eyJ", text) { text = withoutTokens(text) }
    // After the signed tokens: it would remove the beginning of one that directly follows.
    if holds("dvb_", text) { text = withoutBrowserTokens(text) }
    if holds("otpauth:", text) { return "<secret>" }
    let first = text.utf8.first { $0 > UInt8(ascii: " ") }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let json = JSON(decoding: Array(text.utf8))
    {
      let masked = json.maskedAsSent()
      return masked == json ? text : String(decoding: masked.encoded, as: UTF8.self)
    }
    return holds("=", text) || holds("%3", text) ? withoutParameters(text) : text
  }

  /// Whether the text contains those bytes; a combining character after them hides nothing.
  static func holds(_ signs: StaticString, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      signs.withUTF8Buffer { signs in
        text.indices.contains { text[$0...].starts(with: signs) }
      }
    }
  }

  /// Whether the byte is one that every secret has: the `J` or `b` at the beginning of a token, a
  /// colon, an equals sign, or the percent sign of an escaped one.
  private static func isInSecrets(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "J") || byte == UInt8(ascii: "b") || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "%")
  }

  /// Masks signed tokens, which begin with `eyJ` and have two dots; text directly before one stays.
  private static func withoutTokens(_ text: String) -> String {
    var result = ""
    var run = ""
    func flush() {
      let begin = run.firstRange(of: "eyJ")?.lowerBound ?? run.endIndex
      let isToken = run[begin...].count { $0 == "." } >= 2
      result += isToken ? "\(run[..<begin])<token>" : run
      run = ""
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": run.unicodeScalars.append(scalar)
      default:
        flush()
        result.unicodeScalars.append(scalar)
      }
    }
    flush()
    return result
  }

  /// Masks tokens of development browsers, which begin with `dvb_`, as in a query parameter:
  /// whoever has one can act for the browser's client.
  private static func withoutBrowserTokens(_ text: String) -> String {
    let begin = Array("dvb_".utf8)
    var rest = Array(text.utf8)[...]
    var shown: [UInt8] = []
    while let found = rest.firstRange(of: begin) {
      shown += rest[..<found.lowerBound]
      rest = rest[found.upperBound...]
      let end = rest.firstIndex { !$0.isASCIILetterOrDigit } ?? rest.endIndex
      shown += end == rest.startIndex ? begin : Array("<jwt>".utf8)
      rest = rest[end...]
    }
    return String(decoding: shown + rest, as: UTF8.self)
  }

  /// Masks the values of parameters with the name of a secret, as in a query or a form; separators
  /// may be escaped, since one query is often the value of another's parameter.
  private static func withoutParameters(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var shown: [UInt8] = []
    while !rest.isEmpty {
      let end = place(of: separators, in: rest) ?? rest.endIndex..<rest.endIndex
      let part = rest[..<end.lowerBound]
      if let equals = place(of: equalsSign, in: part), equals.upperBound < part.endIndex,
        let mask = mask(sentAs: nameAtEnd(of: part[..<equals.lowerBound]))
      {
        shown += part[..<equals.upperBound] + mask.utf8
      } else {
        shown += part
      }
      shown += rest[end]
      rest = rest[end.upperBound...]
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The range of the first of those bytes, literal or escaped.
  private static func place(of signs: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    for index in bytes.indices {
      if signs.contains(bytes[index]) { return index..<(index + 1) }
      guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex else { continue }
      let digits = String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self)
      if let byte = UInt8(digits, radix: 16), signs.contains(byte) { return index..<(index + 3) }
    }
    return nil
  }

  private static func nameAtEnd(of bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.lastIndex { !isOfName($0) }.map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  private static let separators = Array("?&#".utf8)
  private static let equalsSign = Array("=".utf8)

  /// An answer with the secrets of the form masked, which it may repeat.
  static func hiding(secretsOf form: FormData, in body: [UInt8]) -> [UInt8] {
    EchoedSecrets(secrets(in: form)).hidden(in: body, by: "<secret>") ?? body
  }
}

extension JSON {
  /// The same with its secrets masked, by the rules for requests.
  func maskedAsSent(_ name: String? = nil) -> JSON {
    masked(name, by: TraceSecrets.mask(sentAs:))
  }

  /// The same with its secrets masked, by the rules for answers.
  func maskedAsAnswered(_ name: String? = nil) -> JSON {
    masked(name, sparing: TraceSecrets.settings, by: TraceSecrets.mask(answeredAs:))
  }

  private func masked(
    _ name: String?,
    sparing spared: Set<String> = [],
    by mask: (String) -> String?
  ) -> JSON {
    switch self {
    case .null, .bool, .integer, .number: self
    case .string(let text):
      text.isEmpty || spared.contains(text)
        ? self : .string(name.flatMap(mask) ?? TraceSecrets.shown(text))
    case .array(let elements): .array(elements.map { $0.masked(name, sparing: spared, by: mask) })
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.masked($0.name, sparing: spared, by: mask)) }
      )
    }
  }
}
