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
    ]
  )
  func parts(text: String, path: String) {
    let parts = NativeTenant.parts(ofAuthority: text)
    #expect(parts?.origin == "https://contoso.ciamlogin.com")
    #expect(parts?.path == path)
  }

  @Test(
    "what goes on behind the tenant, as endpoints do, is none",
    arguments: ["/v2.0", "/v2.0/", "/oauth2/v2.0/authorize", "//", "?p=policy"]
  )
  func beyond(rest: String) {
    let tenant = "https://contoso.ciamlogin.com/5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"
    #expect(NativeTenant.parts(ofAuthority: tenant + rest) == nil)
  }
}
