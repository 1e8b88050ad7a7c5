// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A browser stands at a page")
func aBrowserStandsAtAPage() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in

    // Stands at sign-up.
    try await browser.stand(at: "sign-up")
    #expect(
      await browser.page?.outline.lines == [
        "form sign-up email_address password",
        "page sign-up",
        "status 200",
        "step details",
      ]
    )

    // Stands at sign-in-code/resent.
    try await browser.stand(at: "sign-in-code", "resent")
    #expect(
      await browser.page?.outline.lines == [
        "form code code",
        "form resend",
        "form restart",
        "notice code_resent",
        "page sign-in-code",
        "status 200",
        "step code",
      ]
    )

    // Fills in code.
    try await browser.submit([
      "code": "000000",
    ], form: "code")
    #expect(
      await browser.page?.outline.lines == [
        "at code form_code_incorrect",
        "form code code",
        "form resend",
        "form restart",
        "page sign-in-code",
        "status 422",
        "step code",
      ]
    )

    // Fills in code.
    try await browser.submit([
      "code": try await backstage.latestCode(to: "cody@example.com", purpose: "sign_in"),
    ], form: "code")
    #expect(
      await browser.page?.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
