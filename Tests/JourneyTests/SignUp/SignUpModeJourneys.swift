import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("What the instance's settings make of signing up (P-signup)", .inTurn)
struct SignUpModeJourneys {
  private static let newPassword = "a-good-new-password-7"

  @Test(
    "a closed sign-up has a page that says so, and no link from the sign-in page",
    arguments: Stage.both.filter { $0 != Stage(place: .twoProcesses, api: .entra) }
  )
  func restricted(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"sign_up_mode": "restricted"}"#)) { scene in
      let browser = scene.newBrowser()
      let closed = try await browser.open("/sign-up")
      #expect(closed.status == 403)
      #expect(closed.step == "closed")
      #expect(closed.forms.isEmpty)
      let signIn = try await browser.open("/sign-in")
      #expect(!signIn.links.contains { $0.name == "sign-up" })
    }
  }

  @Test(
    "a sign-up that closes while the form is filled in leads to the page that says so",
    arguments: Stage.both.filter { $0 != Stage(place: .twoProcesses, api: .entra) }
  )
  func closesMeanwhile(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      _ = try await scene.backstage.call(
        .patch,
        "instance",
        json: #"{"sign_up_mode": "restricted"}"#
      )
      let closed = try await browser.submit([
        "email_address": "noor@example.com", "password": Self.newPassword,
      ])
      #expect(closed.status == 403)
      #expect(closed.step == "closed")
    }
  }

  @Test("a waiting list asks for an address and nothing else", arguments: Stage.allCases)
  func waitingList(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"sign_up_mode": "waitlist"}"#)) { scene in
      let browser = scene.newBrowser()
      let closed = try await browser.open("/sign-up")
      #expect(closed.status == 403)
      #expect(closed.step == "closed")
      #expect(closed.form?.fields.map(\.name) == ["waiting_list", "email_address"])
      let empty = try await browser.submit()
      #expect(empty.status == 422)
      #expect(empty.errorCodes(at: "email_address") == ["required"])
      let bad = try await browser.submit(["email_address": "noor@"])
      #expect(bad.errorCodes(at: "email_address") == ["form_param_format_invalid"])
      #expect(bad.form?.field("email_address")?.value == "noor@")
      // A script may send what the person types, and nothing else.
      let script = scene.newBrowser()
      let token = try await script.open("/sign-up").form?.token
      let alone: FormData = [
        "form_token": try #require(token), "email_address": "alone@example.com",
      ]
      #expect(try await script.send(.post, "/sign-up", body: alone).status == .seeOther)
      #expect(try await script.open("/sign-up").step == "joined")
      let joined = try await browser.submit(["email_address": "noor@example.com"])
      #expect(joined.path == "/sign-up")
      #expect(joined.noticeCodes == ["waitlist_joined"])
      #expect(joined.step == "joined")
      #expect(joined.status == 200)
      #expect(joined.forms.map(\.name) == ["restart"])
      // Without it, a person who mistyped their address would be stuck there.
      let again = try await browser.submit(form: "restart")
      #expect(again.form?.name == "waiting-list" && again.noticeCodes.isEmpty)
      let signIn = try await browser.open("/sign-in")
      #expect(signIn.links.contains { $0.name == "sign-up" })
    }
  }

  @Test("the waiting list's form joins it, even if the instance is still taken to be open")
  func waitingListBeforeItIsKnown() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await scene.answer(
        "/v1/client/sign_ups",
        403,
        #"{"errors":[{"code":"sign_up_restricted_waitlist"}]}"#
      )
      let closed = try await browser.signUp("noor@example.com", Self.newPassword)
      #expect(closed.status == 403 && closed.form?.name == "waiting-list")
      let empty = try await browser.submit(["email_address": ""])
      #expect(empty.status == 422 && empty.form?.name == "waiting-list")
      #expect(empty.errorCodes(at: "email_address") == ["required"])
      try await scene.answer("/v1/waitlist", 200, #"{"id":"wle_1"}"#)
      let joined = try await browser.submit(["email_address": "noor@example.com"])
      #expect(joined.noticeCodes == ["waitlist_joined"])
    }
  }

  @Test("a person who wanted an account is not put on the waiting list unasked")
  func waitingListUnasked() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"sign_up_mode":"waitlist"}"#)
      let closed = try await browser.submit([
        "email_address": "noor@example.com", "password": Self.newPassword,
      ])
      #expect(closed.status == 403 && closed.form?.name == "waiting-list")
      #expect(closed.form?.field("email_address")?.value == "noor@example.com")
      #expect(closed.noticeCodes.isEmpty)
      #expect(closed.errorCodes == ["sign_up_restricted_waitlist"])
      #expect(try await browser.submit([:]).noticeCodes == ["waitlist_joined"])
    }
  }

  @Test("a person who waited for a list is led to the sign-up that was opened meanwhile")
  func waitingListOpened() async throws {
    try await Stage.inProcess.play(.init(instance: #"{"sign_up_mode": "waitlist"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"sign_up_mode":"public"}"#)
      let opened = try await browser.submit(["email_address": "noor@example.com"])
      #expect(opened.redirects == ["/sign-up"] && opened.status == 200)
      #expect(opened.errorCodes.isEmpty && opened.noticeCodes.isEmpty)
      #expect(opened.form?.field("email_address")?.value == "noor@example.com")
      let verify = try await browser.submit(["password": Self.newPassword])
      #expect(verify.path == "/sign-up/verify")
    }
  }

  @Test("a waiting list that was closed meanwhile leads to the page that says so")
  func waitingListClosed() async throws {
    try await Stage.inProcess.play(.init(instance: #"{"sign_up_mode": "waitlist"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let closing = #"{"sign_up_mode":"restricted"}"#
      _ = try await scene.backstage.call(.patch, "instance", json: closing)
      let closed = try await browser.submit(["email_address": "noor@example.com"])
      #expect(closed.status == 403 && closed.forms.isEmpty)
      #expect(closed.errorCodes == ["waitlist_not_accepting_entries"])
    }
  }

  @Test("an answer that does not say so does not count as joining the waiting list")
  func waitingListNonsense() async throws {
    try await Stage.inProcess.play(.init(instance: #"{"sign_up_mode": "waitlist"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let fault = #"{"match": {"path": "/v1/waitlist"}, "times": 1, "fault": "#
      for kind in ["empty", "not_json"] {
        _ = try await scene.backstage.call(.post, "faults", json: fault + #""\#(kind)"}"#)
        let refused = try await browser.submit(["email_address": "noor@example.com"])
        #expect(refused.status == 502 && refused.form?.name == "waiting-list")
        #expect(refused.form?.field("email_address")?.value == "noor@example.com")
      }
      let joined = try await browser.submit(["email_address": "noor@example.com"])
      #expect(joined.step == "joined")
    }
  }

  /// A browser that has followed the link of an invitation.
  private static func invite(
    _ address: String,
    to page: String = "sign-up",
    in scene: Scene
  ) async throws -> FormSession {
    let invitation = #"{"email_address": "\#(address)", "redirect_url": "http://x/\#(page)"}"#
    _ = try await scene.backstage.call(.post, "invitations", json: invitation)
    let message = try await scene.backstage.latestMessage(to: address, purpose: "invitation")
    let browser = scene.newBrowser()
    try await browser.open(EmailLinkJourneys.path(of: message))
    return browser
  }

  @Test("an invitation stays if the auth API fails once", arguments: ["refused", "html_500"])
  func invitationAfterFailure(kind: String) async throws {
    try await Stage.inProcess.play(.init(instance: #"{"sign_up_mode": "restricted"}"#)) { scene in
      let browser = try await Self.invite("noor@example.com", in: scene)
      let fault = #"{"match": {"path": "/v1/client/sign_ups"}, "fault": "\#(kind)"}"#
      _ = try await scene.backstage.call(.post, "faults", json: fault)
      let failed = try await browser.submit([:])
      #expect(failed.step == "invitation" && failed.status >= 502)
      _ = try await scene.backstage.call(.delete, "faults")
      #expect(try await browser.submit([:]).path == "/sign-up/continue")
    }
  }

  @Test("an invited person who has an account is signed in, whichever page the link names")
  func invitationOfAnAccount() async throws {
    try await Stage.inProcess.play(.init(instance: #"{"sign_up_mode": "restricted"}"#)) { scene in
      for page in ["sign-in", "sign-up"] {
        let browser = try await Self.invite("ada@example.com", to: page, in: scene)
        #expect(await browser.page?.step == "invitation")
        let account = try await browser.submit([:])
        #expect(account.path == "/account")
        #expect(
          (account.facts["user"] as? [String: Any])?["identifier"] as? String == "ada@example.com"
        )
      }
    }
  }

  @Test("a failed change of details leaves the sign-up that is under way alone (F5)")
  func changeAfterFailure() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      #expect(
        try await browser.signUp("noor@example.com", Self.newPassword).path == "/sign-up/verify"
      )
      let code = try await scene.backstage.latestCode(to: "noor@example.com")
      try await browser.open("/sign-up?change")
      let fault = #"{"match": {"path": "/v1/client/sign_ups"}, "fault": "refused"}"#
      _ = try await scene.backstage.call(.post, "faults", json: fault)
      let other = ["email_address": "other@example.com", "password": Self.newPassword]
      #expect(try await browser.submit(other).status == 503)
      _ = try await scene.backstage.call(.delete, "faults")
      #expect(try await browser.open("/sign-up/verify").path == "/sign-up/verify")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "an invitation opens a closed sign-up; its address cannot be edited",
    arguments: Stage.allCases
  )
  func invitation(stage: Stage) async throws {
    let setting = Stage.Setting(
      instance: #"{"sign_up_mode": "restricted", "legal_consent": true}"#
    )
    try await stage.play(setting) { scene in
      _ = try await scene.backstage.call(
        .post,
        "invitations",
        json: #"{"email_address": "noor@example.com", "redirect_url": "http://x/sign-up"}"#
      )
      let message = try await scene.backstage.latestMessage(
        to: "noor@example.com",
        purpose: "invitation"
      )
      let path = try EmailLinkJourneys.path(of: message)
      let browser = scene.newBrowser()
      // Merely opening the link, as a mail scanner does, changes nothing.
      for _ in 0..<2 { #expect(try await browser.open(path).step == "invitation") }
      let details = try await browser.submit([:])
      // The ticket is a secret: it leaves the address at once.
      #expect(details.path == "/sign-up/continue")
      #expect(
        details.form?.fields.map(\.name) == ["identifier_hint", "password", "legal_accepted"]
      )
      #expect(String(decoding: details.body, as: UTF8.self).contains("__clerk_ticket") == false)
      let unticked = try await browser.submit(["password": Self.newPassword])
      #expect(unticked.status == 422)
      #expect(unticked.errorCodes(at: "legal_accepted") == ["required"])
      let account = try await browser.submit([
        "password": Self.newPassword, "legal_accepted": "true",
      ])
      #expect(account.page == "account")
      let user = account.facts["user"] as? [String: Any]
      #expect(user?["identifier"] as? String == "noor@example.com")

      let late = scene.newBrowser()
      _ = try await late.open(path)
      let again = try await late.submit([:])
      #expect(again.path == "/sign-up")
      #expect(again.step == "closed")
      #expect(again.status == 422)
      #expect(again.errorCodes == ["invitation_already_accepted"])
    }
  }

  @Test("terms: the box has its own error, and stays ticked", arguments: Stage.allCases)
  func terms(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"legal_consent": true}"#)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.open("/sign-up")
      let box = try #require(page.form?.field("legal_accepted"))
      #expect(box.type == "checkbox")
      #expect(box.links?.map(\.name) == ["terms", "privacy-policy"])
      #expect(page.links.prefix(2).map(\.href) == box.links?.map(\.href))
      let html = try await browser.send(.get, "/sign-up", fields: [.accept: "text/html"])
      let label = String(decoding: html.body, as: UTF8.self)
        .components(separatedBy: #"<label for="sign-up-legal_accepted">"#)[1]
        .components(separatedBy: "</label>")[0]
      for link in box.links ?? [] { #expect(label.contains(#"<a href="\#(link.href)""#)) }
      let unticked = try await browser.signUp("noor@example.com", Self.newPassword)
      #expect(unticked.status == 422)
      #expect(unticked.errorCodes(at: "legal_accepted") == ["required"])
      for word in ["false", "0", "off", ""] {
        let refused = try await browser.submit([
          "email_address": "noor@example.com", "password": Self.newPassword, "legal_accepted": word,
        ])
        #expect(refused.errorCodes(at: "legal_accepted") == ["required"], "\(word)")
      }
      let weak = try await browser.submit([
        "email_address": "noor@example.com", "password": "short", "legal_accepted": "true",
      ])
      #expect(weak.errorCodes(at: "password") == ["form_password_length_too_short"])
      #expect(weak.form?.field("legal_accepted")?.checked == true)
      let verify = try await browser.submit(["password": Self.newPassword])
      #expect(verify.path == "/sign-up/verify")
      let changing = try await browser.open("/sign-up?change")
      #expect(changing.form?.field("legal_accepted")?.checked == true)
      #expect(try await browser.submit(["password": Self.newPassword]).path == "/sign-up/verify")
    }
  }

  @Test(
    "terms: the box is not ticked for a person who changes details and has not accepted them",
    arguments: [Stage.inProcess, .overSockets]
  )
  func termsAskedForLater(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      #expect(
        try await browser.signUp("noor@example.com", Self.newPassword).path == "/sign-up/verify"
      )
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"legal_consent": true}"#)
      let changing = try await browser.open("/sign-up?change")
      #expect(changing.form?.field("email_address")?.value == "noor@example.com")
      #expect(changing.form?.field("legal_accepted")?.checked == false)
    }
  }

  @Test("username and names: asked for, checked, and signed in with", arguments: Stage.allCases)
  func usernameAndNames(stage: Stage) async throws {
    let setting = Stage.Setting(instance: #"{"username": "required", "names": "required"}"#)
    try await stage.play(setting) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.open("/sign-up")
      #expect(
        page.form?.fields.map(\.name)
          == ["first_name", "last_name", "username", "email_address", "password"]
      )
      let empty = try await browser.submit()
      for name in ["first_name", "last_name", "username", "email_address", "password"] {
        #expect(empty.errorCodes(at: name) == ["required"])
      }
      let typed = [
        "first_name": "Noor", "last_name": "Haddad", "email_address": "noor@example.com",
        "password": Self.newPassword,
      ]
      for (username, code) in [
        ("no", "form_username_invalid_length"), ("no spaces", "form_username_invalid_character"),
        ("12345", "form_username_needs_non_number_char"), ("kurt", "form_identifier_exists"),
      ] {
        try await browser.open("/sign-up")
        let refused = try await browser.submit(typed.merging(["username": username]) { $1 })
        #expect(refused.errorCodes(at: "username") == [code])
        #expect(refused.form?.field("username")?.value == username)
      }
      try await browser.open("/sign-up")
      try await browser.submit(typed.merging(["username": "noor_h"]) { $1 })
      let code = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      let account = try await browser.submit(["code": code])
      let user = account.facts["user"] as? [String: Any]
      #expect(user?["first_name"] as? String == "Noor")
      let other = scene.newBrowser()
      #expect(try await other.signIn("Noor_H", Self.newPassword).page == "account")
    }
  }

  @Test("optional fields may be left empty, and say so (F4)", arguments: Stage.allCases)
  func optional(stage: Stage) async throws {
    let setting = Stage.Setting(
      instance: #"{"username": "optional", "names": "optional", "phone": "optional"}"#
    )
    try await stage.play(setting) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.open("/sign-up")
      for name in ["first_name", "last_name", "username", "phone_number"] {
        #expect(page.form?.field(name)?.required == false)
        #expect(page.form?.field(name)?.label?.hasSuffix("(optional)") == true)
      }
      let verify = try await browser.signUp("noor@example.com", Self.newPassword)
      #expect(verify.path == "/sign-up/verify")
    }
  }

  @Test("every broken rule of a password is shown at once", arguments: Stage.allCases)
  func passwordRules(stage: Stage) async throws {
    let setting = Stage.Setting(
      instance: #"{"password_min_length": 10, "password_require": ["upper", "number"]}"#
    )
    try await stage.play(setting) { scene in
      let browser = scene.newBrowser()
      let short = try await browser.signUp("noor@example.com", "Short-1")
      #expect(short.errorCodes(at: "password") == ["form_password_length_too_short"])
      let plain = try await browser.signUp("noor@example.com", "all-lower-case")
      #expect(
        plain.errorCodes(at: "password")
          == ["form_password_no_uppercase", "form_password_no_number"]
      )
    }
  }
}
