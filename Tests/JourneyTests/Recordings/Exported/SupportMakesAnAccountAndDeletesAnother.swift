// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("Support makes an account and deletes another")
func supportMakesAnAccountAndDeletesAnother() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in
    try await backstage.send("POST", "users", json: "{\"password\":\"quiet-harbour-77-lamps\",\"username\":\"quinn\"}")

    // Support has deleted an account.
    try await backstage.send("DELETE", "users/\(try await backstage.userID(of: "mia@example.com"))")

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

    // Fills in identifier and password.
    let page3 = try await browser.submit([
      "identifier": "mia@example.com",
      "password": "walk-right-in-42",
    ], form: "sign-in")
    #expect(
      page3.outline.lines == [
        "at identifier form_identifier_not_found",
        "form sign-in identifier password",
        "page sign-in",
        "status 422",
        "step identifier",
      ]
    )

    // Fills in identifier and password.
    let page4 = try await browser.submit([
      "identifier": "quinn",
      "password": "quiet-harbour-77-lamps",
    ], form: "sign-in")
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

    // Support deletes an account.
    try await backstage.send("DELETE", "users/\(try await backstage.userID(of: "quinn"))")

    // Support deletes an account.
    try await backstage.send("DELETE", "users/\(try await backstage.userID(of: "lou@example.com"))")

    // Fills in identifier and password.
    let page8 = try await browser.submit([
      "identifier": "quinn",
      "password": "quiet-harbour-77-lamps",
    ], form: "sign-in")
    #expect(
      page8.outline.lines == [
        "at identifier form_identifier_not_found",
        "form sign-in identifier password",
        "page sign-in",
        "status 422",
        "step identifier",
      ]
    )

    // An account is made.
    try await backstage.send("POST", "users", json: "{\"email_addresses\":[\"zoe@example.com\"],\"password\":\"quiet-harbour-77-lamps\"}")

    // Fills in identifier and password.
    let page10 = try await browser.submit([
      "identifier": "zoe@example.com",
      "password": "quiet-harbour-77-lamps",
    ], form: "sign-in")
    #expect(
      page10.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
