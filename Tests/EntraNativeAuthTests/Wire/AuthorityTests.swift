@testable import EntraNativeAuth
import Testing

@Suite("Authorities")
struct AuthorityTests {
  @Test(
    "an authority is an origin and a tenant, which may be left out",
    arguments: [
      ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com", "/contoso.onmicrosoft.com"),
      ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com/", "/contoso.onmicrosoft.com"),
      ("https://contoso.ciamlogin.com", "/contoso.onmicrosoft.com"),
      ("https://contoso.ciamlogin.com/", "/contoso.onmicrosoft.com"),
      ("https://contoso.ciamlogin.com//", "/contoso.onmicrosoft.com"),
    ]
  )
  func parts(text: String, path: String) {
    let parts = NativeTenant.parts(ofAuthority: text)
    #expect(parts?.origin == "https://contoso.ciamlogin.com")
    #expect(parts?.path == path)
  }

  @Test(
    "before the tenant there may be a gateway's path, even one with words of endpoints",
    arguments: [
      "/entra/contoso.onmicrosoft.com", "/a/b/contoso", "/v2.0/contoso.onmicrosoft.com",
      "/oauth2/v1.0/5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911",
    ]
  )
  func gateway(path: String) {
    for text in [path, path + "/"] {
      let parts = NativeTenant.parts(ofAuthority: "https://gw.example.com:8443" + text)
      #expect(parts?.origin == "https://gw.example.com:8443")
      #expect(parts?.path == path)
    }
  }

  @Test(
    "an address that goes on after the tenant, as endpoints do, is not an authority",
    arguments: [
      "/v2.0", "/v2.0/", "/V2.0", "/oauth2", "/oauth2/v2.0/authorize", "/oauth2/token",
      "/v2.0/.well-known/openid-configuration", "/signup/v1.0/start", "//", "?p=policy",
    ]
  )
  func beyond(rest: String) {
    for tenant in ["5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911", "gateway/contoso.onmicrosoft.com"] {
      let authority = "https://contoso.ciamlogin.com/\(tenant)\(rest)"
      #expect(NativeTenant.parts(ofAuthority: authority) == nil, "\(authority)")
    }
  }

  @Test(
    "an address without a host, or with more than a host, a port and a path, is not an authority",
    arguments: [
      "https://:8443/contoso.onmicrosoft.com", "https:///contoso.onmicrosoft.com",
      "https://contoso.ciamlogin.com/contoso.onmicrosoft.com#policy",
      "https://mara@contoso.ciamlogin.com/contoso.onmicrosoft.com",
      "contoso.ciamlogin.com/contoso.onmicrosoft.com", "",
    ]
  )
  func noAuthority(text: String) {
    #expect(NativeTenant.parts(ofAuthority: text) == nil)
  }

  @Test("a numeric IPv6 host names no tenant, so that the path has to")
  func numeric() {
    #expect(NativeTenant.parts(ofAuthority: "https://[::1]:8443") == nil)
    let parts = NativeTenant.parts(ofAuthority: "https://[::1]:8443/contoso.onmicrosoft.com")
    #expect(parts?.path == "/contoso.onmicrosoft.com")
  }
}
