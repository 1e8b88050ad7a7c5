/// The scopes that an app asks for.
///
/// Source: Microsoft, native authentication API reference; RFC 6749, "Access Token Scope".
struct EntraScopes: Sendable, Hashable {
  static let openIDConnect: Set<String> = ["openid", "profile", "email", "offline_access"]
  /// The API of scopes that name none.
  static let graph = "https://graph.microsoft.com"

  /// Without duplicates, in the order and spelling in which they were sent.
  var names: [String]

  /// - Parameter text: The names, with blanks between them.
  /// - Throws: `invalid_scope` 70011 for a malformed name, and for scopes of more than one API.
  init(_ text: String) throws(EntraRefusal) {
    var seen: Set<String> = []
    names = text.split(separator: " ").map(String.init)
      .filter { seen.insert($0.lowercased()).inserted }
    guard !names.isEmpty, names.allSatisfy(Self.isName) else {
      throw .invalidScope("The provided value for the input parameter 'scope' is not valid.")
    }
    guard Set(apiScopes.map(Self.resourceKey)).count <= 1 else {
      throw .invalidScope("The scopes belong to more than one resource.")
    }
  }

  var apiScopes: [String] { names.filter { !Self.openIDConnect.contains($0.lowercased()) } }

  func contains(_ name: String) -> Bool { names.contains { $0.lowercased() == name } }

  /// The API that an access token is for.
  var resource: String { apiScopes.first.map(Self.resource) ?? Self.graph }

  /// The scopes as the access token names them: without their API.
  var shortNames: [String] {
    let named = names.filter { !Self.isAll($0) && $0.lowercased() != "offline_access" }
    let short = apiScopes.filter { !Self.isAll($0) }.map { scope in
      scope.contains("/") ? String(scope.split(separator: "/").last ?? "") : scope
    }
    return short.isEmpty ? named : short
  }

  /// The name that requests every permission granted for an API.
  private static let all = ".default"

  static func isAll(_ name: String) -> Bool {
    name.lowercased() == all || name.lowercased().hasSuffix("/\(all)")
  }

  /// The permissions that the emulated APIs have, by `resourceKey`.
  private static let permissions = [
    OrdersAPI.resource: ["Read", "Write"], graph: ["User.Read"],
  ]

  /// The names, with the scopes that each `.default` stands for placed before it.
  ///
  /// Source: Microsoft identity platform, "Scopes and permissions", "The .default scope".
  func expanded(with granted: [String]) -> [String] {
    var seen: Set<String> = []
    return names.flatMap { name -> [String] in
      guard Self.isAll(name) else { return [name] }
      let (resource, key) = (Self.resource(of: name), Self.resourceKey(of: name))
      return (Self.permissions[key] ?? []).map { "\(resource)/\($0)" }
        + granted.filter { $0.contains("/") && Self.resourceKey(of: $0) == key } + [name]
    }.filter { seen.insert($0.lowercased()).inserted }
  }

  private static func resource(of scope: String) -> String {
    guard let slash = scope.lastIndex(of: "/") else { return graph }
    return String(scope[..<slash])
  }

  /// The API of a scope in lower case, since tenants ignore case.
  private static func resourceKey(of scope: String) -> String { resource(of: scope).lowercased() }

  /// Whether a text is a scope: a permission, after the address of its API or alone.
  private static func isName(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
      return false
    }
    guard let slash = text.lastIndex(of: "/") else { return true }
    // The address of an API alone, such as api://orders, has no permission after it: it would be read
    // as one of the API `api:/`. An API's address may end in a slash, though.
    var address = text[..<slash]
    while address.last == "/" { address.removeLast() }
    return text.last != "/" && !address.isEmpty && address.last != ":"
  }
}

extension EntraTransaction {
  /// The scopes that are granted; those of OpenID Connect always are.
  func granted(_ asked: EntraScopes, to account: Account) -> [String] {
    let admitted = settings.entraScopesGranted.map { Set($0.map { $0.lowercased() }) }
    let declined = Set(account.entra.declinedScopes.map { $0.lowercased() })
    return asked.expanded(with: settings.entraScopesGranted ?? []).filter { name in
      let name = name.lowercased()
      guard !EntraScopes.openIDConnect.contains(name) else { return true }
      let isAdmitted = admitted?.contains(name) != false || EntraScopes.isAll(name)
      return isAdmitted && !declined.contains(name)
    }
  }
}
