// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("Signing up")
func signingUp() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in

    // Opens /sign-up.
    let page1 = try await browser.open("/sign-up")
    #expect(
      page1.outline.lines == [
        "form sign-up email_address password",
        "page sign-up",
        "status 200",
        "step details",
      ]
    )

    // Fills in email_address and password.
    let page2 = try await browser.submit([
      "email_address": "una@example.com",
      "password": "quiet-harbour-77-lamps",
    ], form: "sign-up")
    #expect(
      page2.outline.lines == [
        "form resend",
        "form verify code",
        "notice code_sent",
        "page sign-up-verify",
        "status 200",
        "step code",
      ]
    )

    // Fills in code.
    let page3 = try await browser.submit([
      "code": "111111",
    ], form: "verify")
    #expect(
      page3.outline.lines == [
        "at code form_code_incorrect",
        "form resend",
        "form verify code",
        "page sign-up-verify",
        "status 422",
        "step code",
      ]
    )

    // Fills in code.
    let page4 = try await browser.submit([
      "code": try await backstage.latestCode(to: "una@example.com", purpose: "sign_up"),
    ], form: "verify")
    #expect(
      page4.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )

    // Sends the form sign-out.
    let page5 = try await browser.submit(form: "sign-out")
    #expect(
      page5.outline.lines == [
        "form sign-in identifier password",
        "notice signed_out",
        "page sign-in",
        "status 200",
        "step identifier",
      ]
    )
  }
}
