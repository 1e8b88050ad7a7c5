@_spi(Provider) import AuthFlow
import Foundation
import Localization
import Testing

@testable import Pages

@Suite("Pages of the session's tasks (P-org, P-mfasetup)")
struct TaskPagesTests {
  private func example(_ name: String) throws -> PageExample {
    try #require(PageExample.all.first { $0.name == name })
  }

  private func forms(_ name: String) throws -> [[String: Any]] {
    try #require(try example(name).json()["forms"] as? [[String: Any]])
  }

  @Test(
    "the summary asks for a new password by the words of its label (E5)",
    arguments: CompletenessTests.languages
  )
  func newPassword(language: String) throws {
    let rules = PasswordRules(minimumLength: 8, maximumLength: 72, required: [])
    let page = NewPasswordPage(variant: .task, identifier: "ada@example.com", rules: rules)
    var frame = Fixture.frame(error: AuthError(Problem(.missing, at: .password, code: "required")))
    frame.language = try #require(LanguageTag(language))
    let html = try HTML(renderer.get().html(page, in: frame))
    let label = try #require(html.all("label").first?.text)
    #expect(html.all("a").contains { $0["href"]?.hasPrefix("#") == true && $0.text == label })
    if language == "en" { #expect(html.root.text.contains("Enter a new password")) }
  }

  @Test("each organisation is a radio button with its name and role; none is preselected")
  func radios() throws {
    let form = try #require(try forms("tasks-choose-organization/fresh").first)
    let field = try #require((form["fields"] as? [[String: Any]])?.first)
    #expect(field["name"] as? String == "organization_id")
    #expect(field["type"] as? String == "radio")
    #expect(field["value"] is NSNull)
    let options = field["options"] as? [[String: String]]
    #expect(options?.map { $0["label"] } == ["Harbour Books (Member)", "Pine Street"])
    let html = try example("tasks-choose-organization/fresh").html()
    #expect(html.all("fieldset").count == 1 && html.all("legend").count == 1)
    #expect(!html.all("input").contains { $0["checked"] != nil })
  }

  @Test(
    "a missing choice is told of all radio buttons, and the summary leads to the first (E5)"
  )
  func noneChosen() throws {
    let html = try example("tasks-choose-organization/none-chosen").html()
    let radios = html.all("input").filter { $0["type"] == "radio" }
    #expect(radios.count == 2)
    let group = try #require(html.all("fieldset").first)
    #expect(group["role"] == "radiogroup" && group["aria-invalid"] == "true")
    #expect(radios.allSatisfy { group.contains($0) && $0["aria-describedby"] == nil })
    let error = try #require(html.element(id: group["aria-describedby"] ?? ""))
    #expect(error.text == "Error: Choose an organisation")
    let link = html.all("a").first { $0["href"] == "#\(radios[0]["id"] ?? "")" }
    #expect(link?.text == "Your organisations")
    #expect(html.all("legend").first?.text == link?.text)
  }

  @Test("invitations and suggestions are forms of their own; a requested one waits for approval")
  func offers() throws {
    let forms = try forms("tasks-choose-organization/everything")
    #expect(
      forms.map { $0["name"] as? String } == [
        "choose-organization", "join", "join-2", "ask-to-join", "sign-out",
      ]
    )
    let html = try example("tasks-choose-organization/everything").html()
    #expect(html.root.text.contains("Old Mill"))
    #expect(html.root.text.contains("Waiting for approval"))
    #expect(html.root.text.contains("Your personal account"))
    #expect(html.root.text.contains("Join O'Neill & Sons"))
  }

  @Test(
    "the step is named after what there is to do",
    arguments: [
      ("fresh", "choose"), ("create", "create"), ("create-first", "create"),
      ("not-allowed", "choose"), ("offline", "choose"), ("slug-taken", "create"),
    ]
  )
  func steps(_ state: String, _ step: String) throws {
    #expect(try example("tasks-choose-organization/\(state)").page.step == step)
  }

  @Test("a dead end says why, and leads out")
  func deadEnd() throws {
    let html = try example("tasks-choose-organization/not-allowed").html()
    #expect(html.all("form").map { $0["id"] } == ["sign-out"])
    #expect(html.root.text.contains("new ones cannot be created here"))
  }

  @Test("every task page can be left by signing out", arguments: PageExample.taskExamples)
  func signOut(_ example: PageExample) throws {
    let names = try #require(try example.json()["forms"] as? [[String: Any]])
    #expect(names.contains { $0["name"] as? String == "sign-out" })
    #expect(try example.html().element(id: "sign-out")?["data-action"] == "sign-out")
    let chip = try #require(try example.html().all.first { $0["class"] == "identity" })
    #expect(chip.text.contains("@example.com"), "it says who is signing in")
  }

  @Test("the app is given its key as a picture, as text in groups of four, and as a link")
  func authenticator() throws {
    let html = try example("tasks-setup-mfa/authenticator").html()
    let picture = try #require(html.all("svg").first)
    #expect(picture["role"] == "img")
    #expect(picture["aria-label"]?.hasPrefix("QR code") == true)
    #expect(html.element(id: "setup-key")?.text == "MFRG GZDF MZTW Q2LK")
    let address = try #require(html.all("a").first { $0["data-link"] == "otpauth" }?["href"])
    #expect(address.contains("secret=MFRGGZDFMZTWQ2LK"))
    let facts = try #require(
      try example("tasks-setup-mfa/authenticator").json()["facts"] as? [String: Any]
    )
    #expect(facts["secret"] as? String == "MFRGGZDFMZTWQ2LK")
    #expect(facts["uri"] as? String == address)
    let copy = try #require(html.all("button").first { $0["data-copy"] == "setup-key" })
    #expect(copy["hidden"] != nil && copy["type"] == "button", "it needs a script (R1)")
  }

  @Test("each second factor that can be set up is a form with the field `method`")
  func methods() throws {
    let forms = try forms("tasks-setup-mfa/method")
    #expect(forms.map { $0["name"] as? String } == ["authenticator", "phone", "sign-out"])
    for form in forms.dropLast() {
      let field = (form["fields"] as? [[String: Any]])?.first
      #expect(field?["name"] as? String == "method")
      #expect(field?["type"] as? String == "hidden")
      #expect(field?["value"] as? String == form["name"] as? String)
    }
  }

  @Test("cancelling is offered if there is a choice to return to")
  func cancel() throws {
    #expect(try example("tasks-setup-mfa/authenticator").html().element(id: "cancel") != nil)
    #expect(try example("tasks-setup-mfa/authenticator-alone").html().element(id: "cancel") == nil)
    let form = try example("tasks-setup-mfa/code-only-phone").html().element(id: "cancel")
    #expect(form?.text == "Use another number")
    #expect(form?["data-action"] == "back")
    #expect(try example("tasks-setup-mfa/backup-codes").html().element(id: "cancel") == nil)
  }

  @Test("the backup codes are a list to download and to copy")
  func backupCodes() throws {
    let html = try example("tasks-setup-mfa/backup-codes").html()
    let list = try #require(html.element(id: "backup-codes"))
    #expect(list.all.count { $0.tag == "li" } == 10)
    #expect(html.all("a").contains { $0["href"] == "/tasks/setup-mfa?download" })
    #expect(html.all("button").contains { $0["data-copy"] == "backup-codes" })
    let codes = try #require(BackupCodes(["aaaa1111", "bbbb2222"]))
    #expect(
      try renderer.get().text(of: codes.file(for: "Demo"), in: .english)
        == "Backup codes for Demo. Each works once.\r\n\r\naaaa1111\r\nbbbb2222\r\n"
    )
  }

  @Test(
    "backup codes that must not be shown are neither on the page nor in its twin (R9)",
    arguments: ["backup-codes-offline", "backup-codes-withheld"]
  )
  func withheldCodes(_ state: String) throws {
    let example = try example("tasks-setup-mfa/\(state)")
    let html = try example.html()
    #expect(html.element(id: "backup-codes") == nil)
    #expect(!html.all("a").contains { $0["href"]?.contains("download") == true })
    let bytes = try renderer.get().json(example.page, in: example.frame)
    let twin = String(decoding: bytes, as: UTF8.self)
    #expect(!twin.contains("k3v9q2x") && !html.root.text.contains("k3v9q2x"))
    // People who have not seen them are not asked whether they have kept them.
    #expect(try forms("tasks-setup-mfa/\(state)").map { $0["name"] as? String } == ["sign-out"])
    let ways = html.all("a").filter { $0["data-link"] == "try-again" }
    #expect(ways.map { $0["href"] } == ["/tasks/setup-mfa"])
  }

  @Test("titles of different steps differ (R5)")
  func titles() throws {
    let names = ["method", "authenticator", "phone-number", "code", "backup-codes"]
    let headings = try names.map {
      try example("tasks-setup-mfa/\($0)").html().all("h1").first?.text
    }
    #expect(Set(headings).count == names.count)
  }
}

@Suite("QR codes")
struct QRCodeTests {
  /// The modules that an outline draws.
  private func modules(_ code: QRCode) throws -> [[Bool]] {
    var grid = Array(repeating: Array(repeating: false, count: code.size), count: code.size)
    for bar in code.outline.split(separator: "M") {
      let match = try #require(bar.wholeMatch(of: /(\d+) (\d+)h(\d+)v1h-(\d+)z/))
      let (x, y) = (try #require(Int(match.1)), try #require(Int(match.2)))
      let length = try #require(Int(match.3))
      #expect(match.3 == match.4)
      for column in x..<(x + length) { grid[y][column] = true }
    }
    return grid
  }

  @Test("three corners have their finder, the fourth has none, and the margin is light")
  func finders() throws {
    let code = try #require(QRCode("otpauth://totp/Vestibule:tess?secret=MFRGGZDFMZTWQ2LK"))
    let grid = try modules(code)
    let margin = QRCode.quietZone
    let last = code.size - margin - 7
    func isFinder(_ x: Int, _ y: Int) -> Bool {
      (0..<7).allSatisfy { row in
        (0..<7).allSatisfy { column in
          let ring = max(abs(row - 3), abs(column - 3))
          return grid[y + row][x + column] == (ring != 2)
        }
      }
    }
    #expect(isFinder(margin, margin) && isFinder(last, margin) && isFinder(margin, last))
    #expect(!isFinder(last, last))
    for index in 0..<code.size {
      for edge in Array(0..<margin) + Array((code.size - margin)..<code.size) {
        #expect(!grid[edge][index] && !grid[index][edge])
      }
    }
    // The timing pattern between the finders alternates.
    for offset in 8..<(last - margin) {
      #expect(grid[margin + 6][margin + offset] == (offset % 2 == 0))
    }
  }

  @Test("different texts give different pictures; a text that is too long gives none")
  func texts() {
    #expect(QRCode("one")?.outline != QRCode("two")?.outline)
    #expect(QRCode(String(repeating: "x", count: 4_000)) == nil)
  }
}
