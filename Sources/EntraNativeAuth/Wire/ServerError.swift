internal import AuthAPIClient
@_spi(Provider) internal import AuthFlow
internal import Foundation

/// An error object of the service.
///
/// Source: <doc:EntraCalls#Error-objects>.
struct ServerError: Decodable, Error, Sendable {
  struct Attribute: Decodable, Hashable, Sendable {
    var name: String
    var isRequired: Bool?
    var choices: [String]
    var format: SignUpForm.Entry.Format?
  }

  private(set) var error: String
  private(set) var suberror: String?
  let codes: [Int]
  private(set) var description: String?
  /// An error that carries one is a step.
  let continuation: Continuation?
  let requiredAttributes: [Attribute]
  let invalidAttributes: [Attribute]
  /// JSON text, to be sent back.
  let claims: String?
  var correlationID: String?

  /// How many code points of a word are kept; more are not shown (S17).
  private static let longestWord = 100

  enum CodingKeys: String, CodingKey {
    case error, suberror, claims
    case codes = "error_codes"
    case description = "error_description"
    case token = "continuation_token"
    case requiredAttributes = "required_attributes"
    case invalidAttributes = "invalid_attributes"
    case correlationID = "correlation_id"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    error = try container.requiredText(at: .error)
    suberror = container.text(at: .suberror)
    codes = (try? container.elements(Int.self, at: .codes)) ?? []
    description = container.adornment(String.self, at: .description)
    continuation = container.text(at: .token).map { Continuation($0) }
    requiredAttributes =
      (try? container.elements(Attribute.self, at: .requiredAttributes)) ?? []
    invalidAttributes = (try? container.elements(Attribute.self, at: .invalidAttributes)) ?? []
    claims = container.text(at: .claims)
    correlationID = container.adornment(String.self, at: .correlationID)
  }

  /// For an error that did not come in a body.
  init(error: String, suberror: String? = nil, codes: [Int] = [], claims: String? = nil) {
    self.error = error
    self.suberror = suberror
    self.codes = codes
    self.claims = claims
    description = nil
    continuation = nil
    requiredAttributes = []
    invalidAttributes = []
    correlationID = nil
  }

  /// The same with sent values hidden and its words then cut: a secret that was cut would not be
  /// recognised.
  func hiding(_ secrets: [String]) -> ServerError {
    let mask = SecretMask(secrets)
    func word(_ text: String) -> String { mask.code(text).cut(to: Self.longestWord) }
    var server = self
    server.error = word(error)
    server.suberror = suberror.map(word)
    server.description = description.map(mask.text)
    server.correlationID = correlationID.flatMap(mask.traceID)
    return server
  }

  /// `error`, or `error/suberror`: how pages name it.
  var code: String { suberror.map { "\(error)/\($0)" } ?? error }

  /// Whether its words name that parameter: some errors say only there which one they are about.
  func names(_ parameter: String) -> Bool {
    let words = description?.split { !$0.isLetter && $0 != "_" } ?? []
    return words.contains { $0 == parameter }
  }

  var hasNoWords: Bool { description?.isEmpty ?? true }
}

extension ServerError.Attribute {
  private enum CodingKeys: String, CodingKey { case name, type, required, options }
  private enum OptionKeys: String, CodingKey { case regex, choices, values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.requiredText(at: .name)
    isRequired = container.adornment(Bool.self, at: .required)
    let options = try? container.nestedContainer(keyedBy: OptionKeys.self, forKey: .options)
    let pattern = options?.adornment(String.self, at: .regex)
    let type = container.text(at: .type)?.lowercased()
    choices =
      container.adornment([String].self, at: .options)
      ?? options?.adornment([String].self, at: .choices)
      ?? options?.adornment([String].self, at: .values)
      ?? pattern.flatMap(Self.alternatives(in:))
      ?? (type == "boolean" ? SignUpForm.Entry.truthValues : [])
    if choices.isEmpty, type == "integer" || type == "int" {
      format = pattern.map(Self.admitsMinus) == true ? .integer : .natural
    }
  }

  /// Whether a minus sign may be meant in a pattern, and not only a range such as `0-9`.
  private static func admitsMinus(_ pattern: String) -> Bool {
    let signs = Array(pattern)
    func isWord(_ index: Int) -> Bool {
      signs.indices.contains(index) && (signs[index].isLetter || signs[index].isNumber)
    }
    return signs.indices.contains { signs[$0] == "-" && !(isWord($0 - 1) && isWord($0 + 1)) }
  }

  /// `^(Red|Green|Blue)$`: a pattern that only lists texts is a choice.
  private static func alternatives(in pattern: String) -> [String]? {
    guard pattern.hasPrefix("^("), pattern.hasSuffix(")$") else { return nil }
    let list = pattern.dropFirst(2).dropLast(2)
    let words = list.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let arePlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || " _-".contains($0) }
    }
    return words.count > 1 && arePlain ? words : nil
  }
}
