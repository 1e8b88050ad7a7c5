// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.
// swift-format-ignore-file

import Testing
import VestibuleTesting

@Test("A box, an empty line and a brace")
func aBoxAnEmptyLineAndABrace() async throws {
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
      "identifier": "otto@example.com",
      "password": "walk-right-in-42",
    ], form: "sign-in")
    #expect(
      page2.outline.lines == [
        "form choose-organization organization_id",
        "form sign-out",
        "page tasks-choose-organization",
        "status 200",
        "step choose",
      ]
    )

    // Opens /tasks/choose-organization?create.
    let page3 = try await browser.open("/tasks/choose-organization?create")
    #expect(
      page3.outline.lines == [
        "form create-organization organization_name organization_slug",
        "form sign-out",
        "page tasks-choose-organization",
        "status 200",
        "step create",
      ]
    )

    // Sends the form create-organization.
    let page4 = try await browser.submit(form: "create-organization")
    #expect(
      page4.outline.lines == [
        "at organization_name required",
        "form create-organization organization_name organization_slug",
        "form sign-out",
        "page tasks-choose-organization",
        "status 422",
        "step create",
      ]
    )

    // Fills in organization_name and organization_slug.
    let page5 = try await browser.submit([
      "organization_name": "{\"Curly\"} [{ \\ & Co",
      "organization_slug": "pine-street",
    ], form: "create-organization")
    #expect(
      page5.outline.lines == [
        "at organization_slug form_identifier_exists",
        "form create-organization organization_name organization_slug",
        "form sign-out",
        "page tasks-choose-organization",
        "status 422",
        "step create",
      ]
    )

    // Fills in organization_slug.
    let page6 = try await browser.submit([
      "organization_slug": "curly",
    ], form: "create-organization")
    #expect(
      page6.outline.lines == [
        "form sign-out",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )

    // Sends the form sign-out.
    let page7 = try await browser.submit(form: "sign-out")
    #expect(
      page7.outline.lines == [
        "form sign-in identifier password",
        "notice signed_out",
        "page sign-in",
        "status 200",
        "step identifier",
      ]
    )

    // Opens /forgot-password.
    let page8 = try await browser.open("/forgot-password")
    #expect(
      page8.outline.lines == [
        "form forgot-password identifier",
        "page forgot-password",
        "status 200",
        "step identifier",
      ]
    )

    // Fills in identifier.
    let page9 = try await browser.submit([
      "identifier": "ada@example.com",
    ], form: "forgot-password")
    #expect(
      page9.outline.lines == [
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
    let page10 = try await browser.submit([
      "code": try await backstage.latestCode(to: "ada@example.com", purpose: "reset_password"),
    ], form: "code")
    #expect(
      page10.outline.lines == [
        "form new password sign_out_of_other_sessions",
        "form restart",
        "page forgot-password-new",
        "status 200",
        "step new-password",
      ]
    )

    // Fills in password and sign_out_of_other_sessions.
    let page11 = try await browser.submit([
      "password": "quiet-harbour-77-lamps",
      "sign_out_of_other_sessions": "",
    ], form: "new")
    #expect(
      page11.outline.lines == [
        "form sign-out",
        "notice password_changed",
        "page account",
        "status 200",
        "step signed-in",
      ]
    )
  }
}
