/// Scopes: what is asked, what is granted, what is declined.
///
/// Source: <doc:EntraTokenRenewal#Token-answers>,
/// <doc:EntraTokenRenewal#Scopes-that-were-declined>.
enum Scopes {
  static let openIDConnect = ["openid", "profile", "offline_access"]

  /// What is sent: those of OpenID Connect are always among them, and none is there twice.
  static func requested(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return (openIDConnect + scopes).filter { seen.insert(normal($0)).inserted }
  }

  /// What an answer grants; one that does not say grants all.
  static func granted(_ scope: String?, asking scopes: [String]) -> [String] {
    scope.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) } ?? requested(scopes)
  }

  /// Without those that only sign in.
  static func ofResources(_ scopes: [String]) -> [String] {
    scopes.filter { !openIDConnect.contains(normal($0)) }
  }

  /// What was asked for and is not granted; `email` and what only signs in are forgiven.
  static func declined(_ scopes: [String], of granted: [String]) -> [String] {
    let had = Set(granted.map(normal))
    return ofResources(scopes).filter { normal($0) != "email" && !had.contains(normal($0)) }
  }

  /// Those of the first that are among the second.
  static func common(_ left: [String], _ right: [String]) -> [String] {
    let names = Set(right.map(normal))
    return left.filter { names.contains(normal($0)) }
  }

  /// Whether everything that is asked for is granted.
  static func cover(_ granted: [String], _ scopes: [String]) -> Bool {
    declined(scopes, of: granted).isEmpty
  }

  /// Whether any scope of a resource is in both.
  static func intersect(_ left: [String], _ right: [String]) -> Bool {
    let names = Set(ofResources(left).map(normal))
    let others = ofResources(right).map(normal)
    return names.isEmpty || others.isEmpty || others.contains(where: names.contains)
  }

  private static func normal(_ scope: String) -> String { scope.lowercased() }
}
