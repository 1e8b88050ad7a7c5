// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("Backstage tidies up")
func backstageTidiesUp() async throws {
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

    // Fills in identifier.
    let page2 = try await browser.submit([
      "identifier": "cody@example.com",
    ], form: "sign-in")
    #expect(
      page2.outline.lines == [
        "form code code",
        "form resend",
        "form restart",
        "notice code_sent",
        "page sign-in-code",
        "status 200",
        "step code",
      ]
    )

    // A message is deleted.
    try await backstage.send("DELETE", "messages/\(try await backstage.latestMessage(to: "cody@example.com", purpose: "sign_in").id)")

    // A fault is added.
    try await backstage.send("POST", "faults", json: "{\"fault\":\"timeout\"}")

    // A fault is added.
    try await backstage.send("POST", "faults", json: "{\"fault\":\"reset\",\"match\":{\"path\":\"/v1/redirect\"}}")

    // A fault is removed.
    try await backstage.send("DELETE", "faults")
    try await backstage.send("POST", "faults", json: "{\"delay_ms\":0,\"fault\":\"reset\",\"match\":{\"method\":null,\"path\":\"/v1/redirect\"},\"times\":null}")

    // The clock is moved.
    try await backstage.send("POST", "clock", json: "{\"advance_seconds\":31}")

    // Sends the form resend.
    let page8 = try await browser.submit(form: "resend")
    #expect(
      page8.outline.lines == [
        "form code code",
        "form resend",
        "form restart",
        "notice code_resent",
        "page sign-in-code",
        "status 200",
        "step code",
      ]
    )

    // All faults are removed.
    try await backstage.send("DELETE", "faults")

    // The traces are deleted.
    try await backstage.send("DELETE", "traces")

    // Fills in code.
    let page11 = try await browser.submit([
      "code": try await backstage.latestCode(to: "cody@example.com", purpose: "sign_in"),
    ], form: "code")
    #expect(
      page11.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )

    // The inbox is emptied.
    try await backstage.send("DELETE", "messages")

    // Opens /account.
    let page13 = try await browser.open("/account")
    #expect(
      page13.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
