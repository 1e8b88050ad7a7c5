import Testing

@testable import EntraNativeAuth

@Suite("Scopes")
struct ScopesTests {
  @Test("OpenID Connect's own scopes are always asked for, and none twice")
  func requested() {
    #expect(
      Scopes.requested(["api://orders/Read", "OPENID", "api://ORDERS/read"])
        == ["openid", "profile", "offline_access", "api://orders/Read"]
    )
  }

  @Test("an answer without a scope grants all, and one with an empty scope nothing")
  func absent() {
    #expect(Scopes.granted(nil, asking: ["a"]) == ["openid", "profile", "offline_access", "a"])
    #expect(Scopes.granted(" openid  A ", asking: ["a", "b"]) == ["openid", "A"])
    #expect(Scopes.granted("", asking: ["a"]) == [])
  }

  @Test("a missing scope counts as declined, except email and those that only sign in")
  func declined() {
    let asked = ["openid", "email", "api://o/Read", "api://o/Write"]
    #expect(Scopes.declined(asked, of: ["API://o/read"]) == ["api://o/Write"])
    #expect(Scopes.declined(["openid", "profile"], of: []) == [])
  }

  @Test("two tokens are for the same unless both have a resource's scopes, and none in common")
  func intersect() {
    let read = ["openid", "api://o/Read"]
    #expect(Scopes.intersect(read, ["API://o/read", "api://o/Write"]))
    #expect(!Scopes.intersect(read, ["openid", "api://o/Write"]))
    #expect(Scopes.intersect(read, ["openid", "profile"]))
    #expect(Scopes.intersect(["openid", "profile"], read))
    #expect(Scopes.intersect([], []))
  }
}
