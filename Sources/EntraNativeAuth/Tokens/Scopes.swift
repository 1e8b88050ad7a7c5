/// Compares requested, granted and declined scopes.
///
/// Source: <doc:EntraTokenRenewal#Token-answers>,
/// <doc:EntraTokenRenewal#Scopes-that-were-declined>.
enum Scopes {
  static let openIDConnect = ["openid", "profile", "offline_access"]

  /// The scopes to send: those of OpenID Connect are always included, and none is repeated.
  static func requested(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return (openIDConnect + scopes).filter { seen.insert(normal($0)).inserted }
  }

  /// The scopes that an answer grants; one without `scope` grants all.
  static func granted(_ scope: String?, asking scopes: [String]) -> [String] {
    scope.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) } ?? requested(scopes)
  }

  /// The scopes without those of OpenID Connect.
  static func ofResources(_ scopes: [String]) -> [String] {
    scopes.filter { !openIDConnect.contains(normal($0)) }
  }

  /// The scopes that were requested but not granted, except `email` and those of OpenID Connect.
  static func declined(_ scopes: [String], of granted: [String]) -> [String] {
    let had = Set(granted.map(normal))
    return ofResources(scopes).filter { normal($0) != "email" && !had.contains(normal($0)) }
  }

  /// The scopes of the first list that are also in the second.
  static func common(_ left: [String], _ right: [String]) -> [String] {
    let names = Set(right.map(normal))
    return left.filter { names.contains(normal($0)) }
  }

  /// Whether all requested scopes are granted.
  static func cover(_ granted: [String], _ scopes: [String]) -> Bool {
    declined(scopes, of: granted).isEmpty
  }

  /// Whether both lists have a resource's scope in common, or one of them has none.
  static func intersect(_ left: [String], _ right: [String]) -> Bool {
    let names = Set(ofResources(left).map(normal))
    let others = ofResources(right).map(normal)
    return names.isEmpty || others.isEmpty || others.contains(where: names.contains)
  }

  private static func normal(_ scope: String) -> String { scope.lowercased() }
}
