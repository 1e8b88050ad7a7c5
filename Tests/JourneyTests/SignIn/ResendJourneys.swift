import Testing
import VestibuleTesting

@Suite("Sending again, and beginning anew", .inTurn)
struct ResendJourneys {
  @Test("another code for a new device")
  func device() async throws {
    try await Stage.inProcess.play { scene in
      let nia = scene.newBrowser()
      #expect(try await nia.signIn("nia@example.com").page == "sign-in-device")
      try await scene.backstage.advanceClock(by: .seconds(31))
      let resent = try await nia.submit(form: "resend")
      #expect(resent.page == "sign-in-device")
      #expect(resent.noticeCodes == ["code_resent"])
    }
  }

  @Test(
    "the wait before another code is the emulator's setting, over either API",
    arguments: [Stage.inProcess, Stage(place: .inProcess, api: .entra)]
  )
  func cooldown(stage: Stage) async throws {
    for (seconds, isAllowed) in [(0, true), (120, false)] {
      try await stage.play(
        .init(instance: #"{"resend_cooldown_seconds":\#(seconds)}"#)
      ) { scene in
        let noor = scene.newBrowser()
        #expect(try await noor.signUp("noor@example.com").page == "sign-up-verify")
        let atOnce = try await noor.submit(form: "resend")
        #expect(atOnce.status == (isAllowed ? 200 : 429))
        guard !isAllowed else { return }
        try await scene.backstage.advanceClock(by: .seconds(100))
        #expect(try await noor.submit(form: "resend").status == 429)
        try await scene.backstage.advanceClock(by: .seconds(21))
        #expect(try await noor.submit(form: "resend").noticeCodes == ["code_resent"])
      }
    }
  }

  @Test("another code for a phone that is being enrolled")
  func enrolment() async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let rita = scene.newBrowser()
      try await rita.signIn("rita@example.com")
      try await rita.submit(["method": "phone", "contact": "+12015550177"])
      try await scene.backstage.advanceClock(by: .seconds(31))
      let resent = try await rita.submit(form: "resend")
      #expect(resent.page == "sign-in-enrolment")
      #expect(resent.noticeCodes == ["code_resent"])
    }
  }

  @Test("another code for a reset, which then begins anew", arguments: [Stage.inProcess])
  func reset(stage: Stage) async throws {
    try await stage.play { scene in
      let ada = scene.newBrowser()
      #expect(try await ada.forgotPassword("ada@example.com").page == "forgot-password-code")
      try await scene.backstage.advanceClock(by: .seconds(31))
      let resent = try await ada.submit(form: "resend")
      #expect(resent.page == "forgot-password-code")
      #expect(resent.noticeCodes == ["code_resent"])
      #expect(try await ada.submit(form: "restart").page == "forgot-password")
    }
  }

  @Test("another link at sign-up can be sent, and leads in")
  func signUpLink() async throws {
    let links = Stage.Setting(instance: #"{"email_link": true}"#)
    try await Stage.inProcess.play(links) { scene in
      let noor = scene.newBrowser()
      #expect(try await noor.signUp("noor@example.com").page == "sign-up-link")
      try await scene.backstage.advanceClock(by: .seconds(31))
      let resent = try await noor.submit(form: "resend")
      #expect(resent.page == "sign-up-link")
      let sent = try await scene.backstage.messages(to: "noor@example.com")
      let links = sent.compactMap(\.link)
      #expect(sent.count == 2 && Set(links).count == 2)
      let newest = try await scene.backstage.latestMessage(to: "noor@example.com")
      try await noor.open(EmailLinkJourneys.path(of: newest))
      #expect(try await noor.submit().page == "account")
    }
  }

  @Test("a sign-up that lacks details begins anew")
  func missingDetails() async throws {
    let names = Stage.Setting(instance: #"{"names": "required"}"#)
    try await Stage(place: .inProcess, api: .entra).play(names) { scene in
      let noor = scene.newBrowser()
      try await noor.signUp("noor@example.com")
      let code = try await scene.backstage.latestCode(to: "noor@example.com")
      #expect(try await noor.submit(["code": code]).page == "sign-up-continue")
      #expect(try await noor.submit(form: "restart").page == "sign-up")
    }
  }
}
