internal import AuthAPIClient
internal import AuthFlow
internal import Foundation

/// The envelope of an error: the array `errors`, or the singular `error`.
///
/// Source: <doc:ClerkTransport#Error-envelope>.
struct ErrorEnvelope: Decodable, Sendable {
  /// How many code points of a word are kept (S17), after sent values are hidden in it: a secret
  /// that was cut would not be recognised.
  static let longestWord = 100

  struct Item: Decodable, Hashable, Sendable {
    let code: String
    /// The API's own words: the long message, else the short one.
    let message: String?
    /// The two messages and the details as they came.
    let shortMessage: String?
    let longMessage: String?
    let meta: JSONValue?
    let parameter: String?
    /// What would make a password harder to guess, in the API's own words.
    let suggestions: [String]
    /// Seconds until a locked account is unlocked; nil if the lock has no end.
    let lockoutSeconds: Double?
    /// The session that is in the way; nil if the API names none.
    let sessionID: String?

    private enum Key: String, CodingKey {
      case code, message, meta
      case longMessage = "long_message"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      code = try container.decode(String.self, forKey: .code)
      shortMessage = container.adornment(String.self, at: .message)
      longMessage = container.adornment(String.self, at: .longMessage)
      // It may be null or of another shape: an error without details is an error still.
      let details = container.adornment(JSONValue.self, at: .meta)
      meta = details
      let words = [longMessage, shortMessage].compactMap(\.self).first { !$0.isEmpty }
      message = words
      parameter = details.map(Self.parameter(of:)) ?? Self.parameter(in: container)
      suggestions = Self.suggestions(in: details?["zxcvbn"]?["suggestions"])
      lockoutSeconds =
        switch details?["lockout_expires_in_seconds"] {
        case .number(let seconds)?: Double(seconds)
        case .decimal(let seconds)?: seconds
        case .null?, .bool?, .string?, .array?, .object?, nil: nil
        }
      sessionID =
        if case .string(let id)? = details?["session_id"] { id.cut(to: 100) } else { nil }
    }

    private enum DetailKey: String, CodingKey, CaseIterable {
      case parameterName = "param_name"
      case name
    }

    private static func suggestions(in list: JSONValue?) -> [String] {
      guard case .array(let elements)? = list else { return [] }
      return elements.compactMap { element in
        guard case .string(let text)? = element["message"], !text.isEmpty else { return nil }
        return text
      }
    }

    /// The first of the two names that is a text and not empty.
    private static func parameter(of details: JSONValue) -> String? {
      DetailKey.allCases.lazy.compactMap { key -> String? in
        guard case .string(let text)? = details[key.rawValue], !text.isEmpty else { return nil }
        return text
      }.first
    }

    /// The same if the details cannot be decoded as a whole, as with a number beyond every
    /// `Double`.
    private static func parameter(in item: KeyedDecodingContainer<Key>) -> String? {
      let details = try? item.nestedContainer(keyedBy: DetailKey.self, forKey: .meta)
      return DetailKey.allCases.lazy.compactMap { details?.text(at: $0) }.first
    }
  }

  private struct Meta: Decodable {
    let client: ClientResource?
  }

  /// At least one.
  let items: [Item]
  let traceID: String?
  /// The client as it stands after the error.
  let client: ClientResource?

  private enum Key: String, CodingKey {
    case errors, error, meta
    case traceID = "clerk_trace_id"
  }

  /// - Throws: `DecodingError` if there is no error in it.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if try container.contains(.errors) && !container.decodeNil(forKey: .errors) {
      items = Array(try container.elements(Item.self, at: .errors).prefix(20))
    } else {
      items = [try container.decode(Item.self, forKey: .error)]
    }
    guard !items.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .errors,
        in: container,
        debugDescription: "an error envelope without errors"
      )
    }
    traceID = container.text(at: .traceID)
    client = container.adornment(Meta.self, at: .meta)?.client
  }
}
