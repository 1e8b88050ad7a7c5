internal import Foundation

/// The requests of the parameter `claims` for the access token, as far as the emulator supports
/// them.
///
/// Source: Microsoft identity platform, "Claims challenges and claims requests".
struct EntraClaims: Sendable, Hashable {
  /// Capabilities that the app declares (`xms_cc`).
  var capabilities: [String] = []
  /// Authentication contexts that an API demands (`acrs`).
  var contexts: Set<String> = []
  /// Policies that the token endpoint demands (`capolids`).
  var policies: Set<String> = []

  /// The policy that is demanded when an account with `silent` renews its tokens silently.
  static let demandedPolicy = "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"
  static let demanded =
    #"{"access_token":{"capolids":{"essential":true,"values":["\#(demandedPolicy)"]}}}"#

  /// - Throws: `invalid_request` if the text is not a JSON object.
  init(_ text: String?) throws(EntraRefusal) {
    guard let text else { return }
    guard let json = JSON(decoding: Array(text.utf8)),
      case .object = json
    else { throw .malformed("The claims are not a JSON object.") }
    let token = json["access_token"]
    capabilities = Self.values(of: token?["xms_cc"])
    contexts = Set(Self.values(of: token?["acrs"]))
    policies = Set(Self.values(of: token?["capolids"]))
  }

  private static func values(of claim: JSON?) -> [String] {
    let values = claim?["values"]?.array ?? claim?["value"].map { [$0] } ?? []
    return values.compactMap(\.string)
  }
}
