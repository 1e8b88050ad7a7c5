// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("An invitation is followed")
func anInvitationIsFollowed() async throws {
  try await TestVestibule.walking(over: "clerk") { browser, backstage in

    // Somebody is invited.
    try await backstage.send("POST", "invitations", json: "{\"email_address\":\"una@example.com\"}")

    // Opens the link of the newest message.
    let page2 = try await browser.open(backstage.latestLink(to: "una@example.com", purpose: "invitation"))
    #expect(
      page2.outline.lines == [
        "form invitation",
        "page sign-up",
        "status 200",
        "step invitation",
      ]
    )

    // Sends the form invitation.
    let page3 = try await browser.submit(form: "invitation")
    #expect(
      page3.outline.lines == [
        "form continue password",
        "form restart",
        "page sign-up-continue",
        "status 200",
        "step details",
      ]
    )

    // Fills in password.
    let page4 = try await browser.submit([
      "password": "quiet-harbour-77-lamps",
    ], form: "continue")
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
