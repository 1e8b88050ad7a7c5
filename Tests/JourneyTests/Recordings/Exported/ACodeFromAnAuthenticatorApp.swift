// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A code from an authenticator app")
func aCodeFromAnAuthenticatorApp() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in

    // Opens /sign-in.
    let page1 = try await browser.open("/sign-in")
    #expect(
      page1.outline.lines == [
        "form sign-in identifier password",
        "page sign-in",
        "status 200",
        "step identifier",
      ]
    )

    // Fills in identifier and password.
    let page2 = try await browser.submit([
      "identifier": "mia@example.com",
      "password": "walk-right-in-42",
    ], form: "sign-in")
    #expect(
      page2.outline.lines == [
        "form restart",
        "form second-factor code",
        "page sign-in-second-factor",
        "status 200",
        "step code",
      ]
    )

    // Fills in code.
    let page3 = try await browser.submit([
      "code": "000000",
    ], form: "second-factor")
    #expect(
      page3.outline.lines == [
        "at code form_code_incorrect",
        "form restart",
        "form second-factor code",
        "page sign-in-second-factor",
        "status 422",
        "step code",
      ]
    )

    // Fills in code.
    let page4 = try await browser.submit([
      "code": try await backstage.authenticatorCode(of: "mia@example.com"),
    ], form: "second-factor")
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
