// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A password is reset")
func aPasswordIsReset() async throws {
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

    // Opens /forgot-password.
    let page2 = try await browser.open("/forgot-password")
    #expect(
      page2.outline.lines == [
        "form forgot-password identifier",
        "page forgot-password",
        "status 200",
        "step identifier",
      ]
    )

    // Fills in identifier.
    let page3 = try await browser.submit([
      "identifier": "ada@example.com",
    ], form: "forgot-password")
    #expect(
      page3.outline.lines == [
        "form code code",
        "form resend",
        "form restart",
        "notice code_sent",
        "page forgot-password-code",
        "status 200",
        "step code",
      ]
    )

    // Fills in code.
    let page4 = try await browser.submit([
      "code": try await backstage.latestCode(to: "ada@example.com", purpose: "reset_password"),
    ], form: "code")
    #expect(
      page4.outline.lines == [
        "form new password sign_out_of_other_sessions",
        "form restart",
        "page forgot-password-new",
        "status 200",
        "step new-password",
      ]
    )

    // Fills in password.
    let page5 = try await browser.submit([
      "password": "short",
    ], form: "new")
    #expect(
      page5.outline.lines == [
        "at password form_password_length_too_short",
        "form new password sign_out_of_other_sessions",
        "form restart",
        "page forgot-password-new",
        "status 422",
        "step new-password",
      ]
    )

    // Fills in password.
    let page6 = try await browser.submit([
      "password": "quiet-harbour-77-lamps",
    ], form: "new")
    #expect(
      page6.outline.lines == [
        "form sign-out",
        "notice password_changed",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
