@testable import Backstage
import Emulators
import HTTPExchange
import Testing

@Suite("The settings in the browser")
struct SettingsFormTests {
  private let worlds: Worlds
  private let workbench: WorkbenchClient

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = try WorkbenchClient(over: worlds)
  }

  private func page() async -> String { await workbench.open("settings").html }

  /// Sends the form with these fields after its own.
  private func send(
    _ fields: FormData,
    action: String = "change"
  ) async -> WorkbenchClient.Page {
    var form: FormData = ["action": action]
    form.fields += fields.fields
    return await workbench.send("settings", form)
  }

  @Test("every setting has one field of its kind")
  func fields() async throws {
    let html = await page()
    for key in InstanceSettings.keys {
      let inputs = html.ranges(of: "-\(key.name)\">")
      let isAsked = InstanceSettings.isAsked(key.name, by: .clerk)
      #expect(inputs.count == (isAsked ? 1 : 0), "\(key.name)")
    }
    #expect(
      html.contains(#/id="sign-in-email_link" name="email_link" type="checkbox" value="true" aria/#)
    )
    #expect(
      html.contains(
        #/id="the-instance-itself-test_mode"[^>]* type="checkbox" value="true" checked/#
      )
    )
    #expect(html.contains(#/<select id="sign-up-sign_up_mode"/#))
    #expect(html.contains(#"<option value="public" selected>"#))
    #expect(
      html.contains(#/id="passwords-password_min_length"[^>]* value="8"[^>]*inputmode="numeric"/#)
    )
    #expect(html.contains("1 to 72"))
  }

  @Test("a filled-in value is read as the type that its setting takes")
  func values() async throws {
    let world = try await worlds.world(.main)
    let sent = await send([
      "email_link": "false", "code_attempts": " 7 ", "lockout_seconds": "",
      "password_require": "upper, number", "force_organization_selection": "false",
      "entra_required_attributes": #"[{"name": "city", "type": "string", "required": true}]"#,
    ])
    try #require(sent.status == 303, "\(sent.html)")
    let settings = world.settings
    #expect(!settings.emailLink && settings.codeAttempts == 7 && settings.lockoutSeconds == nil)
    #expect(settings.passwordRequire == [.upper, .number])
    #expect(settings.forceOrganizationSelection == false)
    #expect(settings.entraRequiredAttributes == [.init(name: "city")])
    _ = await send(["force_organization_selection": ""])
    #expect(world.settings.forceOrganizationSelection == nil)
  }

  @Test("the fields of a new instance can be saved as they are")
  func asItStands() async throws {
    var form: FormData = [:]
    let usual = InstanceSettings().json
    for key in InstanceSettings.keys { form.append(key.name, try #require(usual[key.name]).typed) }
    let sent = await send(form)
    #expect(sent.status == 303, "\(sent.html)")
    #expect(try await worlds.world(.main).settings == InstanceSettings())
  }

  @Test(
    "an empty list stays an empty list and is not null, which means the opposite",
    arguments: [
      ([], [], "[]"), (nil, nil, ""), (["a://b/C", "a://b/D"], ["oob"], "a://b/C, a://b/D"),
    ] as [([String]?, [String]?, String)]
  )
  func emptyLists(scopes: [String]?, types: [String]?, typed: String) async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let world = try await worlds.world(.main)
    world.settings.entraScopesGranted = scopes
    world.settings.entraChallengeTypes = types
    let workbench = try WorkbenchClient(over: worlds)
    let html = await workbench.open("settings").html
    let input = try #require(
      html.firstMatch(of: #/<input id="[a-z-]+-entra_scopes_granted"[^>]*>/#)
    )
    let shown = input.output.firstMatch(of: #/ value="(?<text>[^"]*)"/#)?.output.text ?? ""
    #expect(shown == typed)
    var form: FormData = ["action": "change", "entra_reset_polls": "3"]
    for name in ["entra_scopes_granted", "entra_challenge_types"] {
      let value = try #require(world.settings.json[name])
      let shape = try #require(InstanceSettings.keys.first { $0.name == name }?.shape)
      form.append(name, shape.typed(value))
    }
    #expect(await workbench.send("settings", form).status == 303)
    #expect(world.settings.entraResetPolls == 3)
    #expect(world.settings.entraScopesGranted == scopes)
    #expect(world.settings.entraChallengeTypes == types)
  }

  @Test("no preset promises to do without passwords, since sign-up asks for one")
  func passwords() async throws {
    let html = await page()
    #expect(!html.lowercased().contains("passwordless"))
    #expect(html.contains("sign-up still asks for a password"))
    #expect(await send(["id": "email-links"], action: "preset").status == 303)
    let settings = try await worlds.world(.main).settings
    #expect(settings.identifierFirst && settings.emailLink)
  }

  @Test("a switch is off if the browser sends only its hidden value")
  func switches() async throws {
    let world = try await worlds.world(.main)
    var on: FormData = ["legal_consent": "false"]
    on.append("legal_consent", "true")
    #expect(await send(on).status == 303)
    #expect(world.settings.legalConsent)
    #expect(await send(["legal_consent": "false"]).status == 303)
    #expect(!world.settings.legalConsent)
  }

  @Test("an impossible value is refused, and nothing changes")
  func refusals() async throws {
    let before = try await worlds.world(.main).settings
    for (name, value) in [
      ("password_min_length", "many"), ("password_min_length", "73"), ("sign_up_mode", ""),
      ("email_link", "perhaps"), ("password_require", "upper, odd"),
      ("entra_required_attributes", "none"),
    ] {
      let sent = await send(["code_attempts": "9", name: value])
      #expect(sent.status == 422, "\(name)")
      #expect(sent.html.contains("There is a problem"))
    }
    #expect(try await worlds.world(.main).settings == before)
  }

  @Test("every impossible value is told at its field and listed with a link, even the same twice")
  func severalRefusals() async throws {
    let before = try await worlds.world(.main).settings
    let sent = await send([
      "id": "codes-and-locks", "code_attempts": "many", "lockout_attempts": "many",
      "lockout_seconds": "60",
    ])
    #expect(sent.status == 422)
    for (key, label) in [
      ("code_attempts", "Tries for each code"), ("lockout_attempts", "Failures until a lock"),
    ] {
      let id = "codes-and-locks-\(key)"
      let link = "<li><a href=\"#\(id)\">\(label): not a whole number</a></li>"
      #expect(sent.html.contains(link), "\(key)")
      #expect(sent.html.contains("\(id)-error\" aria-invalid=\"true\""), "\(key)")
    }
    #expect(!sent.html.contains("codes-and-locks-lockout_seconds-error"))
    #expect(try await worlds.world(.main).settings == before)
  }

  @Test("a value that is no list at all is told once, however many members it has")
  func toldOnce() async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let sent = try await WorkbenchClient(over: worlds).send(
      "settings",
      [
        "action": "change", "id": "entra-only",
        "entra_required_attributes": #"{"name": "city", "type": "string"}"#,
      ]
    )
    #expect(sent.status == 422)
    #expect(sent.html.contains("Attributes of a sign-up: not a list</a></p>"))
    #expect(sent.html.ranges(of: "Not a list").count == 1)
  }

  @Test("every setting has its words, and every word its setting")
  func words() {
    #expect(SettingWords.all.map(\.key).sorted() == InstanceSettings.keys.map(\.name).sorted())
  }

  @Test("a preset changes what it says with one press, and nothing else")
  func presets() async throws {
    let world = try await worlds.world(.main)
    world.settings.codeAttempts = 7
    for preset in SettingPreset.all(behind: .clerk) {
      #expect(await send(["id": preset.name], action: "preset").status == 303, "\(preset.name)")
      if preset.name == "strict" {
        #expect(world.settings.mfaRequired && world.settings.passwordMinLength == 12)
        #expect(world.settings.codeAttempts == 7)
      }
    }
    #expect(world.settings == InstanceSettings())
    #expect(await send(["id": "none"], action: "preset").status == 400)
  }

  @Test("the preset of organisations lets nobody continue with a personal account")
  func personalAccounts() async throws {
    let world = try await worlds.world(.main)
    world.settings.forceOrganizationSelection = false
    #expect(await send(["id": "organizations"], action: "preset").status == 303)
    #expect(world.settings.organizationsRequired)
    #expect(world.settings.forceOrganizationSelection == nil)
  }

  @Test("over each API no setting is offered that only the other one uses")
  func offered() async throws {
    let html = await page()
    #expect(html.contains("Hide who has an account") && !html.contains("Challenge types"))
    #expect(html.contains("Hides who has an account, confirms new devices, requires"))
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let entra = try await WorkbenchClient(over: worlds).open("settings").html
    #expect(entra.contains("Challenge types") && entra.contains("Requires a second factor, asks"))
    for words in [
      "Hide who has an account", "Hides who has an account", "new devices", "New devices",
      "Links by email", "Usernames", "Organisation", "Test mode", "Bot protection",
      "Templates of session tokens",
    ] { #expect(!entra.contains(words), "\(words)") }
    for key in InstanceSettings.keys {
      let isOffered = entra.contains("-\(key.name)\">")
      #expect(isOffered == InstanceSettings.isAsked(key.name, by: .entra), "\(key.name)")
    }
  }

  @Test("over Entra no choice is offered that has no effect, unless it is the present one")
  func choicesOfEntra() async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let world = try await worlds.world(.main)
    let workbench = try WorkbenchClient(over: worlds)
    let html = await workbench.open("settings").html
    #expect(html.contains(#"<option value="restricted""#))
    #expect(!html.contains(#"<option value="waitlist""#))
    #expect(!html.contains(#"<option value="optional""#))
    world.settings.signUpMode = .waitlist
    let chosen = await workbench.open("settings").html
    #expect(chosen.contains(#"<option value="waitlist" selected>"#))
    #expect(chosen.contains("Note: sign_up_mode closes sign-up: there is no waiting list."))
  }

  @Test("a setting that keeps people out, or has nothing to show, is noted in its group")
  func notes() async throws {
    let world = try await worlds.world(.main)
    #expect(!(await page()).contains("Note: "))
    world.settings.legalConsent = true
    world.settings.organizationsRequired = true
    world.settings.organizationCreation = false
    let html = await page()
    #expect(!html.contains("Note: legal_consent"))
    #expect(html.contains("Note: organizations_required keeps out whoever has no organisation"))
    world.settings.termsURL = nil
    world.settings.privacyPolicyURL = nil
    #expect(await page().contains("Note: legal_consent asks to accept what nobody can read"))
  }

  @Test("a preset sets only what the auth API uses, except the one that resets everything")
  func presetsOfEntra() {
    let presets = SettingPreset.all(behind: .entra)
    #expect(presets.map(\.name) == ["strict", "new-app"])
    for name in (presets[0].changes.members ?? []).map(\.name) {
      #expect(InstanceSettings.isAsked(name, by: .entra), "\(name)")
    }
    #expect(presets[1].changes == InstanceSettings().json)
    #expect(SettingPreset.all(behind: .clerk).count == 4)
  }

  @Test("a group that is saved leaves what was changed elsewhere since it was opened")
  func twoTabs() async throws {
    let world = try await worlds.world(.main)
    let form = try await workbench.open("settings").form("codes-and-locks")
    world.settings.codeLifetimeSeconds = 60
    let sent = await workbench.send("settings", form.typing(["lockout_attempts": "3"]))
    #expect(sent.status == 303)
    #expect(world.settings.codeLifetimeSeconds == 60 && world.settings.lockoutAttempts == 3)
    let untouched = try await workbench.open("settings").form("codes-and-locks")
    let nothing = await workbench.send("settings", untouched)
    let page = await workbench.open("settings", cookie: nothing.cookie)
    #expect(page.html.contains("Nothing was changed."))
  }

  @Test("a setting that was changed elsewhere, too, is refused once and kept")
  func conflict() async throws {
    let world = try await worlds.world(.main)
    let form = try await workbench.open("settings").form("sign-up")
    world.settings.signUpMode = .waitlist
    let typed = form.typing(["sign_up_mode": "restricted"])
    let refused = await workbench.send("settings", typed)
    #expect(refused.status == 422)
    let words = "Who may sign up: was changed elsewhere meanwhile, and is “a waiting list” now"
    #expect(refused.html.contains(words))
    #expect(world.settings.signUpMode == .waitlist)
    let again = try refused.form("sign-up")
    #expect(await workbench.send("settings", again).status == 303)
    #expect(world.settings.signUpMode == .restricted)
  }

  @Test("what was typed survives a refusal at its field, with its default beside it")
  func survives() async throws {
    let sent = await send(["id": "passwords", "password_min_length": "73"])
    #expect(sent.status == 422)
    #expect(sent.html.contains("value=\"73\""))
    let id = "passwords-password_min_length"
    #expect(sent.html.contains("aria-describedby=\"\(id)-hint \(id)-error\""))
    let words = "Minimum length, in characters: not within 1 to 72"
    #expect(sent.html.contains("<p><a href=\"#\(id)\">\(words)"), "the banner leads to the field")
    #expect(sent.html.contains("<input id=\"\(id)\""))
    #expect(sent.html.contains("Default: 8."))
  }
}
