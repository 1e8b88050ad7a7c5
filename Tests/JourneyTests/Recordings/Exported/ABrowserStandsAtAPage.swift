// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A browser stands at a page")
func aBrowserStandsAtAPage() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in

    // Stands at sign-up.
    let page1 = try await browser.stand(at: "sign-up")
    #expect(
      page1.outline.lines == [
        "form sign-up email_address password",
        "page sign-up",
        "status 200",
        "step details",
      ]
    )

    // Stands at sign-in-code/resent.
    let page2 = try await browser.stand(at: "sign-in-code", "resent")
    #expect(
      page2.outline.lines == [
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
    let page3 = try await browser.submit([
      "code": "000000",
    ], form: "code")
    #expect(
      page3.outline.lines == [
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
    let page4 = try await browser.submit([
      "code": try await backstage.latestCode(to: "cody@example.com", purpose: "sign_in"),
    ], form: "code")
    #expect(
      page4.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
