import Testing
import VestibuleTesting

@Test("a code by email lets ezra in")
func secondFactor() async throws {
  let vestibule = try TestVestibule()
  let ezra = vestibule.session(world: "second-factor")
  try await ezra.open("/sign-in")
  let codePage = try await ezra.submit([
    "identifier": "ezra@example.com", "password": "walk-right-in-42",
  ])
  #expect(codePage.page == "sign-in-second-factor")

  let wrong = try await ezra.submit(["code": "000000"])
  #expect(wrong.errorCodes(at: "code") == ["form_code_incorrect"])

  let code = try await vestibule.backstage(world: "second-factor")
    .latestCode(to: "ezra@example.com")
  let account = try await ezra.submit(["code": code])
  #expect(account.page == "account")
}
