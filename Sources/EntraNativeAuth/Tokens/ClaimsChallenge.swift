internal import HTTPExchange
internal import Foundation
internal import HTTPTypes

/// A demand for claims that a token lacks, sent along with the next token request.
///
/// Source: <doc:EntraTokenRenewal#Claims-challenges>.
struct ClaimsChallenge: Hashable, Sendable {
  /// A JSON object as text.
  let claims: String

  /// Reads `WWW-Authenticate`: only a `Bearer` challenge with `error="insufficient_claims"` counts.
  init?(in fields: HTTPFields) {
    for header in fields[values: .wwwAuthenticate] {
      let parameters = Self.parameters(of: header)
      guard parameters["error"] == "insufficient_claims", let encoded = parameters["claims"],
        let bytes = Base64URL.bytes(ofAnyBase64: encoded),
        let text = String(validating: bytes, as: UTF8.self),
        Self.object(text) != nil
      else { continue }
      claims = text
      return
    }
    return nil
  }

  /// The value to send as `claims`: a pending demand, with the client's capabilities merged in.
  ///
  /// - Returns: Nil if there are neither; the demand as it came if there are no capabilities, or if
  ///   it is not a JSON object.
  static func parameter(demanding claims: String?, capabilities: [String]) -> String? {
    guard !capabilities.isEmpty else { return claims }
    var root: [String: Any] = [:]
    if let claims {
      guard let demanded = object(claims) else { return claims }
      root = demanded
    }
    var token = root["access_token"] as? [String: Any] ?? [:]
    token["xms_cc"] = ["values": capabilities]
    root["access_token"] = token
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: root,
        options: [.sortedKeys, .withoutEscapingSlashes]
      )
    else { return claims }
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether a text can be sent as `claims`: a JSON object that is short enough to be kept, is not
  /// nested too deep, and repeats no name.
  static func isRequest(_ text: String) -> Bool {
    text.utf8.count <= ClaimsDemand.bytesLimit && JSONFault(in: Array(text.utf8)) == nil
      && object(text) != nil
  }

  private static func object(_ text: String) -> [String: Any]? {
    guard text.utf8.count <= 8_192 else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  /// The parameters of a `Bearer` challenge; names in lower case.
  ///
  /// Source: RFC 9110, section 11.2.
  private static func parameters(of header: String) -> [String: String] {
    guard header.prefix(7).lowercased() == "bearer " else { return [:] }
    var parameters: [String: String] = [:]
    var rest = header.dropFirst(7)
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].filter { !" ,\t".contains($0) }.lowercased()
      rest = rest[rest.index(after: equals)...].drop { $0 == " " }
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        value = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count).dropFirst()
      } else {
        value = rest.prefix { $0 != "," && $0 != " " }
        rest = rest.dropFirst(value.count)
      }
      if parameters[name] == nil { parameters[name] = String(value) }
    }
    return parameters
  }
}
