// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A wrong password, then the right one")
func aWrongPasswordThenTheRightOne() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in
    try await backstage.send("POST", "users", json: "{\"email_addresses\":[\"quinn@example.com\"],\"password\":\"it's \\\"$HOME\\\" `id` \\\\n \\\\(1) %41&+= ä-Ω-日本 #{x}\"}")

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
      "identifier": "quinn@example.com",
      "password": "not it",
    ], form: "sign-in")
    #expect(
      page2.outline.lines == [
        "at password form_password_incorrect",
        "form sign-in identifier password",
        "page sign-in",
        "status 422",
        "step identifier",
      ]
    )

    // Fills in password.
    let page3 = try await browser.submit([
      "password": "it's \"$HOME\" `id` \\n \\(1) %41&+= ä-Ω-日本 #{x}",
    ], form: "sign-in")
    #expect(
      page3.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
