import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The settings in the browser")
struct SettingsFormTests {
  private let worlds: Worlds
  private let workbench: BackstagePages

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = try BackstagePages(worlds: worlds, renderer: .project(), secret: Array(0..<32))
  }

  private func page() async -> String {
    await html(Request(method: .get, target: "/backstage/settings", headerFields: Self.host))
  }

  /// Sends the form with fields behind those that it has.
  private func send(_ fields: Form) async -> (status: Int, html: String) {
    var form: Form = ["action": "change", "form_token": Data(0..<32).base64EncodedString()]
    for field in fields.fields { form.append(field.name, field.value) }
    let response = await workbench.respond(
      to: Request(
        method: .post,
        target: "/backstage/settings",
        headerFields: [
          .host: "localhost:8080", .contentType: "application/x-www-form-urlencoded",
        ],
        body: form.encoded
      )
    )
    return (response.status.code, String(decoding: response.body, as: UTF8.self))
  }

  private func html(_ request: Request) async -> String {
    String(decoding: await workbench.respond(to: request).body, as: UTF8.self)
  }

  private static let host: HTTPFields = [.host: "localhost:8080"]

  @Test("every setting has one field of its kind")
  func fields() async throws {
    let html = await page()
    for key in InstanceSettings.keys {
      let labels = html.ranges(of: "for=\"change-\(key.name)\"")
      #expect(labels.count == 1, "\(key.name)")
    }
    #expect(
      html.contains(#/id="change-email_link" name="email_link" type="checkbox" value="true">/#)
    )
    #expect(html.contains(#/id="change-test_mode"[^>]* type="checkbox" value="true" checked/#))
    #expect(html.contains(#/<select id="change-sign_up_mode"/#))
    #expect(html.contains(#"<option value="public" selected>"#))
    #expect(
      html.contains(#/id="change-password_min_length"[^>]* value="8"[^>]*inputmode="numeric"/#)
    )
    #expect(html.contains("1 to 72"))
  }

  @Test("what is filled in is read as what the setting takes")
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
    #expect(settings.entraRequiredAttributes.count == 1)
    _ = await send(["force_organization_selection": ""])
    #expect(world.settings.forceOrganizationSelection == nil)
  }

  @Test("a switch is off where the browser sends only that it might be on")
  func switches() async throws {
    let world = try await worlds.world(.main)
    var on: Form = ["legal_consent": "false"]
    on.append("legal_consent", "true")
    #expect(await send(on).status == 303)
    #expect(world.settings.legalConsent)
    #expect(await send(["legal_consent": "false"]).status == 303)
    #expect(!world.settings.legalConsent)
  }

  @Test("what a setting cannot be is refused with its name, and nothing changes")
  func refusals() async throws {
    let before = try await worlds.world(.main).settings
    for (name, value) in [
      ("password_min_length", "many"), ("password_min_length", "73"), ("sign_up_mode", ""),
      ("email_link", "perhaps"), ("password_require", "upper, odd"),
      ("entra_required_attributes", "none"),
    ] {
      let sent = await send(["code_attempts": "9", name: value])
      #expect(sent.status == 422, "\(name)")
      #expect(sent.html.contains(name))
    }
    #expect(try await worlds.world(.main).settings == before)
  }
}
