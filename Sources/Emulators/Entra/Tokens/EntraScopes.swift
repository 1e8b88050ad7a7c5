/// The scopes that an app asks for.
///
/// Source: Microsoft, native authentication API reference; RFC 6749, section 3.3.
struct EntraScopes: Sendable, Hashable {
  static let openIDConnect: Set<String> = ["openid", "profile", "email", "offline_access"]
  /// The API that scopes without one belong to.
  static let graph = "https://graph.microsoft.com"

  /// Without repetition, in the order and the spelling that they were sent in.
  var names: [String]

  /// - Throws: `invalid_scope` 70011 for a name that is none, and where two APIs are meant.
  init(_ names: [String]) throws(EntraRefusal) {
    var seen: Set<String> = []
    self.names = names.filter { seen.insert($0.lowercased()).inserted }
    guard !names.isEmpty, names.allSatisfy(Self.isName) else {
      throw .invalidScope("The provided value for the input parameter 'scope' is not valid.")
    }
    guard Set(apiScopes.map(Self.resource)).count <= 1 else {
      throw .invalidScope("The scopes belong to more than one resource.")
    }
  }

  var apiScopes: [String] { names.filter { !Self.openIDConnect.contains($0.lowercased()) } }

  func contains(_ name: String) -> Bool { names.contains { $0.lowercased() == name } }

  /// The API that an access token is for.
  var resource: String { apiScopes.first.map(Self.resource) ?? Self.graph }

  /// The scopes as the access token names them: without their API.
  var shortNames: [String] {
    let short = apiScopes.map { scope in
      scope.contains("/") ? String(scope.split(separator: "/").last ?? "") : scope
    }
    return short.isEmpty ? names.filter { $0.lowercased() != "offline_access" } : short
  }

  private static func resource(of scope: String) -> String {
    guard let slash = scope.lastIndex(of: "/") else { return graph }
    return String(scope[..<slash])
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}

extension EntraTransaction {
  /// The scopes that are granted; those of OpenID Connect always are.
  func granted(_ asked: EntraScopes, to account: Account) -> [String] {
    let admitted = settings.entraScopesGranted.map { Set($0.map { $0.lowercased() }) }
    let declined = Set(account.entra.declinedScopes.map { $0.lowercased() })
    return asked.names.filter { name in
      let name = name.lowercased()
      guard !EntraScopes.openIDConnect.contains(name) else { return true }
      return admitted?.contains(name) != false && !declined.contains(name)
    }
  }
}
