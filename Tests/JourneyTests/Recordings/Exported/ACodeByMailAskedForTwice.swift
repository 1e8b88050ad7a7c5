// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A code by mail, asked for twice")
func aCodeByMailAskedForTwice() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in
    try await backstage.send("POST", "reset", json: "{\"clock\":{\"set\":\"2026-11-20T17:55:00Z\"}}")
    try await backstage.send("PATCH", "instance", json: "{\"resend_cooldown_seconds\":45}")
    try await backstage.send("POST", "faults", json: "{\"delay_ms\":0,\"fault\":\"timeout\",\"match\":{\"method\":\"GET\",\"path\":\"/v1/redirect\"},\"times\":null}")

    // The clock stands still.
    try await backstage.send("POST", "clock", json: "{\"freeze\":true}")

    // Opens /sign-in.
    let page2 = try await browser.open("/sign-in")
    #expect(
      page2.outline.lines == [
        "form sign-in identifier password",
        "page sign-in",
        "status 200",
        "step identifier",
      ]
    )

    // Fills in identifier.
    let page3 = try await browser.submit([
      "identifier": "cody@example.com",
    ], form: "sign-in")
    #expect(
      page3.outline.lines == [
        "form code code",
        "form resend",
        "form restart",
        "notice code_sent",
        "page sign-in-code",
        "status 200",
        "step code",
      ]
    )

    // The clock is moved.
    try await backstage.send("POST", "clock", json: "{\"advance_seconds\":46}")

    // Sends the form resend.
    let page5 = try await browser.submit(form: "resend")
    #expect(
      page5.outline.lines == [
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
    let page6 = try await browser.submit([
      "code": try await backstage.latestCode(to: "cody@example.com", purpose: "sign_in"),
    ], form: "code")
    #expect(
      page6.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
