import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Synchronization
import Testing

@testable import Backstage

@Suite("The users in the browser")
struct UsersPageTests {
  private let worlds: Worlds
  private let workbench: WorkbenchClient

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = WorkbenchClient(
      try BackstagePages(
        worlds: worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        shortcut: SignInShortcut { _, identifier, password in
          identifier == "ada@example.com"
            ? .goesOn(location: "/account", cookies: ["a=\(password ?? "none")", "b=2"])
            : .refused("The door is shut.")
        }
      )
    )
  }

  private func open(_ query: String = "") async -> String {
    await workbench.open("users\(query)").html
  }

  private func send(_ fields: FormData) async -> WorkbenchClient.Page {
    await workbench.send("users", fields)
  }

  @Test(
    "the table says in words what happens when somebody signs in",
    arguments: [
      ("ada", "Signs in with the password."), ("mia", "authenticator app, text, backup code"),
      ("nia", "Confirms a new device once"), ("lena", "Is refused until you unlock it."),
      ("bann", "Is refused."), ("cody", "Signs in with a code that is sent."),
      ("sven", "Leads to the sign-in page of the enterprise."),
      ("otto", "Then chooses one of 2 organisations."), ("olga", "Then creates an organisation."),
      ("tess", "Then sets up a second factor."),
      ("cora", "Has to replace the password"), ("link", "Signs in with a link by email."),
    ]
  )
  func words(name: String, words: String) async throws {
    let html = await open()
    let link = try #require(html.firstRange(of: "user=user_\(name)\""))
    let end = try #require(html[link.upperBound...].firstRange(of: "</tr>"))
    #expect(html[link.upperBound..<end.lowerBound].contains(words))
  }

  @Test(
    "the words follow the settings of the world",
    arguments: [
      ("ada", #"{"mfa_required":true}"#, "Then sets up a second factor."),
      ("mia", #"{"mfa_required":true}"#, "Then a second factor: authenticator app, text"),
      ("ada", #"{"organizations_required":true}"#, "Then creates an organisation."),
      (
        "ada", #"{"organizations_required":true,"organization_creation":false}"#,
        "Then cannot go on: there is no organisation to choose"
      ),
      ("ada", #"{"client_trust":"needs_client_trust"}"#, "Confirms a new device once"),
      ("phil", #"{"phone":"off","username":"off"}"#, "Has only what the settings turn off"),
      ("kurt", #"{"phone":"off","username":"off"}"#, "Has only what the settings turn off"),
    ]
  )
  func wordsUnderSettings(name: String, settings: String, words: String) async throws {
    let world = try await worlds.world(.main)
    world.settings = try InstanceSettings(json: Data(settings.utf8))
    #expect(await open("?user=user_\(name)").contains(words))
  }

  @Test(
    "over Entra the words follow the settings of the world, too",
    arguments: [
      (#"{"mfa_required":true}"#, "Registers a strong method first."),
      (#"{"entra_challenge_types":[]}"#, "Continues in a browser."),
      (#"{"entra_challenge_types":["oob"]}"#, "Signs in with a code that is sent."),
    ]
  )
  func wordsOfTenants(settings: String, words: String) async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let world = try await worlds.world(.main)
    world.settings = try InstanceSettings(json: Data(settings.utf8))
    let html = try await WorkbenchClient(over: worlds).open("users?user=user_ada").html
    #expect(html.contains(words))
  }

  @Test(
    "over Entra the words describe what Entra asks for, and nothing that only Clerk does",
    arguments: [
      ("cody", #"{"email_second_factor":true}"#, "Signs in with a code that is sent."),
      (
        "cody", #"{"entra":{"registration_required":true}}"#, "Signs in with a code that is sent."
      ),
      ("cody", #"{"email_link":true}"#, "Signs in with a code that is sent."),
      ("ada", #"{"client_trust":true,"email_link":true}"#, "Signs in with the password."),
      (
        "ada", #"{"email_second_factor":true,"entra":{"registration_required":true}}"#,
        "Signs in with the password. Then a second factor: email."
      ),
      (
        "ada", #"{"entra":{"registration_required":true}}"#,
        "Signs in with the password. Registers a strong method first."
      ),
      (
        "ada", #"{"entra":{"methods":[{"channel":"email","target":"a@b.example"}]}}"#,
        "Signs in with the password. Then a second factor: email."
      ),
      (
        "ada", #"{"entra":{"protection_policy":true}}"#,
        "Signs in with the password. Is stopped by a protection policy."
      ),
      (
        "ada", #"{"entra":{"declined_scopes":["api://orders/Write","a/b"]}}"#,
        "Signs in with the password. Is granted all but api://orders/Write, a/b."
      ),
      (
        "ada", #"{"entra":{"silent":"interaction_required"}}"#,
        "Signs in with the password. Has to sign in again when its token is renewed."
      ),
      (
        "mia", #"{"totp_secret":"JBSWY3DPEHPK3PXP","backup_codes":["a"]}"#,
        "Signs in with the password. Then a second factor: text, email."
      ),
    ]
  )
  func wordsOverEntra(name: String, changes: String, words: String) async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let world = try await worlds.world(.main)
    let json = try #require(JSON(decoding: Array(changes.utf8)))
    _ = try #require(try await world.change("user_\(name)", json))
    let html = try await WorkbenchClient(over: worlds).open("users?user=user_\(name)").html
    #expect(html.contains("</span> \(words)</p>"))
  }

  /// The keys of an account that have no field, and why.
  private static let editedElsewhere = [
    "banned": "a button", "locked": "a button", "password_state": "a button",
    "id": "it names the account", "failed_attempts": "it is counted: by PATCH alone",
    "organization_invitations": "its value is a list of objects: by PATCH alone",
    "organization_suggestions": "its value is a list of objects: by PATCH alone",
    "unsafe_metadata": "its value is an object: by PATCH alone",
  ]

  @Test("every key of an account has a field, or is known to be changed elsewhere")
  func keys() {
    guard case .object(let members) = AccountDescription.shape else {
      Issue.record("an account is not an object")
      return
    }
    let elsewhere = Self.editedElsewhere
    #expect((UserForm.keys + elsewhere.keys).sorted() == members.map(\.name).sorted())
    let actions: [UserAction] = [.lock, .ban, .compromise]
    let pressed = actions.flatMap { $0.changes.members ?? [] }.map(\.name)
    #expect(pressed.sorted() == elsewhere.filter { $0.value == "a button" }.keys.sorted())
  }

  @Test("everything that Entra knows of an account has a field")
  func entraKeys() {
    guard case .object(let members) = AccountDescription.shape,
      case .object(let known)? = members.first(where: { $0.name == "entra" })?.shape
    else {
      Issue.record("an account has nothing of Entra's")
      return
    }
    #expect(UserForm.entraKeys.sorted() == known.map(\.name).sorted())
  }

  @Test("the form has fields for what the auth API uses, and no others")
  func fieldsByAPI() async throws {
    let entra = try WorkbenchClient(over: Worlds(storage: .memory, behind: .entra))
    let (own, other) = (await open("?new"), await entra.open("users?new").html)
    for name in ["totp_secret", "backup_codes", "organizations", "tasks", "client_trust"] {
      #expect(own.contains("name=\"\(name)\""), "\(name)")
      #expect(!other.contains("name=\"\(name)\""), "\(name)")
    }
    for name in UserForm.entraKeys.map({ "entra.\($0)" }) {
      #expect(!own.contains("name=\"\(name)\""), "\(name)")
      #expect(other.contains("name=\"\(name)\""), "\(name)")
    }
    #expect(other.contains("name=\"email_second_factor\""))
  }

  @Test("fields change what Entra knows of a person, and the rest of it stays")
  func editsOfEntra() async throws {
    let worlds = try Worlds(storage: .memory, behind: .entra)
    let world = try await worlds.world(.main)
    let workbench = try WorkbenchClient(over: worlds)
    let edit: FormData = ["action": "edit", "id": "user_dina"]
    func send(_ fields: FormData) async -> WorkbenchClient.Page {
      await workbench.send("users", FormData(edit.fields + fields.fields))
    }
    let sent = await send([
      "entra.methods": "dina@b.example, +1 201 555 0123", "entra.silent": "true",
      "entra.attributes": #"{"city": "Rome"}"#, "entra.protection_policy": "false",
    ])
    try #require(sent.status == 303, "\(sent.html)")
    var dina = try #require(try await world.account("user_dina")).entra
    #expect(
      dina.methods == [
        .init(channel: .email, target: "dina@b.example"),
        .init(channel: .sms, target: "+12015550123"),
      ]
    )
    #expect(dina.silent == .interactionRequired && dina.attributes == ["city": "Rome"])
    #expect(dina.declinedScopes == ["api://orders/Write"], "no field was about it")
    let html = await workbench.open("users?user=user_dina").html
    #expect(html.contains("value=\"dina@b.example, +12015550123\""))
    _ = await send(["entra.methods": "", "entra.silent": "false", "entra.attributes": ""])
    dina = try #require(try await world.account("user_dina")).entra
    #expect(dina.methods.isEmpty && dina.silent == nil && dina.attributes.isEmpty)
    let refused = await send(["entra.methods": "dina@b.example, 12", "first_name": "Di"])
    #expect(refused.status == 422)
    let words = "'12' is not a phone number with country code"
    #expect(refused.html.contains("<a href=\"#edit-entra.methods\">"))
    #expect(refused.html.contains(words.replacing("'", with: "&#39;")))
  }

  @Test("the form names each task that an account may have")
  func tasks() async {
    let html = await open("?new")
    let names = AccountDescription.Task.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(html.contains("Any of \(names), separated by commas"))
  }

  @Test("a page lists some users, and leads to the others")
  func pages() async throws {
    let world = try await worlds.world(.main)
    for number in 1...10 {
      var user = AccountDescription()
      user.username = "further\(number)"
      _ = try await world.add(user)
    }
    let first = await open()
    #expect(first.ranges(of: "<tr>").count == 26)
    let link = try #require(first.firstMatch(of: #/href="\/backstage\/users(\?after=[^"]+)"/#))
    let second = await open(String(link.output.1))
    #expect(second.contains("further10") && !second.contains("user_ada"))
  }

  /// The list with thirty more users than the demo users.
  private func largeList() async throws -> Int {
    let world = try await worlds.world(.main)
    for number in 1...30 {
      var user = AccountDescription()
      user.username = "further\(number)"
      _ = try await world.add(user)
    }
    return try await world.accountCount()
  }

  @Test("there is a search where one page does not show all users, or if there is one already")
  func searchField() async throws {
    #expect(await !open().contains("role=\"search\""))
    let found = await open("?q=ada")
    #expect(found.contains("role=\"search\"") && found.contains("1 of 22 users"))
    let count = try await largeList()
    let html = await open()
    #expect(html.contains("role=\"search\"") && html.contains(">\(count) users<"))
    #expect(html.contains(#/<label for="search-words">[^<]+<\/label>/#))
    #expect(html.contains(#/<input id="search-words" name="q" type="search" value=""/#))
    #expect(!html.contains("Show all"))
  }

  @Test("a search keeps what was typed, counts what it finds, and goes on in its next part")
  func search() async throws {
    let count = try await largeList()
    let first = await open("?q=+FURTHER")
    #expect(first.ranges(of: "<tr>").count == 26)
    #expect(first.contains("30 of \(count) users") && first.contains("value=\" FURTHER\""))
    let link = try #require(
      first.firstMatch(of: #/href="\/backstage\/users(\?q=[^"]+&amp;after=[^"]+)"/#)
    )
    let second = await open(String(link.output.1).replacing("&amp;", with: "&"))
    #expect(second.ranges(of: "<tr>").count == 6)
    #expect(second.contains("further30") && second.contains("30 of \(count) users"))
    #expect(second.contains("value=\" FURTHER\"") && !second.contains("More users"))
    let json = await workbench.open("users?q=further3", [.accept: "application/json"])
    let users = JSON(decoding: json.response.body)?["facts"]?["users"]?.array
    #expect(users?.map { $0["username"] } == ["further3", "further30"])
  }

  @Test("a search that finds nobody says so, and leads back to all users")
  func emptySearch() async {
    let page = await workbench.open("users?q=%22nobody%22")
    #expect(page.status == 200)
    #expect(page.html.contains("No user matches all of that."))
    #expect(page.html.contains("<a href=\"/backstage/users\">Show all</a>"))
    #expect(page.html.contains("value=\"&quot;nobody&quot;\"") && !page.html.contains("<table"))
  }

  @Test("a search that is too long is refused above all users, and comes back")
  func longSearch() async {
    let words = "a+b+c+d+e+f+g+h+i"
    let page = await workbench.open("users?q=\(words)")
    #expect(page.status == 422)
    #expect(page.html.contains("a search has at most 8 words and 254 characters"))
    #expect(page.html.contains("value=\"\(words.replacing("+", with: " "))\""))
    #expect(page.html.contains("user=user_ada\"") && page.html.contains("22 of 22 users"))
  }

  @Test("backup codes alone are not a second factor")
  func backupCodes() async throws {
    let sent = await send([
      "action": "add", "email_addresses": "bo@a.example", "password": "a long enough one",
      "backup_codes": "bo-1, bo-2",
    ])
    #expect(sent.status == 303)
    let bo = try await worlds.world(.main).account(identifiedBy: "bo@a.example")
    let html = await open("?user=\(try #require(bo?.id))")
    #expect(html.contains("Signs in with the password."))
    #expect(!html.contains("Then a second factor"))
  }

  @Test("a second factor by email is mentioned only for an account that has an address")
  func emailWithoutAddress() async throws {
    let world = try await worlds.world(.main)
    var solo = AccountDescription()
    solo.username = "solo"
    solo.emailSecondFactor = true
    let id = try #require(try await world.add(solo).id)
    #expect(await !open("?user=\(id)").contains("Then a second factor"))
    _ = try await world.change(id, ["email_addresses": ["solo@example.com"]])
    #expect(await open("?user=\(id)").contains("Then a second factor: email."))
  }

  @Test("a person who has a second factor is not said to set one up, though the task stays")
  func setUpAlready() async throws {
    let sent = await send(["action": "edit", "id": "user_tess", "totp_secret": "JBSWY3DPEHPK3PXP"])
    #expect(sent.status == 303)
    #expect(try await worlds.world(.main).account("user_tess")?.tasks == [.setUpSecondFactor])
    let html = await open("?user=user_tess")
    #expect(html.contains("Then a second factor: authenticator app."))
    #expect(!html.contains("sets up a second factor"))
  }

  @Test("the end of a lock is worded as on its own page: rounded up to the minute")
  func endOfLock() async throws {
    let clock = try await worlds.world(.main).clock
    clock.freeze(true)
    clock.set(try Date("2026-11-21T01:21:12Z", strategy: .iso8601))
    #expect(await send(["action": "lock", "id": "user_ada"]).status == 303)
    #expect(await open("?user=user_ada").contains("Is refused until 01:52 UTC."))
    clock.advance(1_770)
    #expect(await open("?user=user_ada").contains("Is refused until 01:51:12 UTC."))
  }

  @Test("one press locks, unlocks, bans and marks, and says so")
  func actions() async throws {
    let world = try await worlds.world(.main)
    world.clock.freeze(true)
    for action in ["lock", "ban", "compromise"] {
      let sent = await send(["action": action, "id": "user_ada"])
      #expect(sent.status == 303, "\(action)")
    }
    var ada = try await world.account("user_ada")
    #expect(ada?.locked?.seconds == 1800)
    #expect(ada?.banned == true && ada?.passwordState == .compromised)
    let html = await open("?user=user_ada")
    for button in ["Unlock", "Lift the ban", "Trust the password again"] {
      #expect(html.contains(">\(button)</button>"), "\(button)")
    }
    for action in ["unlock", "unban", "trust-password"] {
      _ = await send(["action": action, "id": "user_ada"])
    }
    ada = try await world.account("user_ada")
    #expect(ada?.locked == nil && ada?.banned == false && ada?.passwordState == .ok)
  }

  @Test("a person is added and changed in fields, and keeps what the form did not say")
  func edits() async throws {
    let world = try await worlds.world(.main)
    let added = await send([
      "action": "add", "first_name": "Freya", "email_addresses": "freya@example.com, f@example.com",
      "password": "a long enough one", "organizations": "Harbour Books", "client_trust": "true",
    ])
    try #require(added.status == 303, "\(added.html)")
    let freya = try #require(try await world.account(identifiedBy: "freya@example.com"))
    #expect(freya.emailAddresses.count == 2 && freya.clientTrust)
    #expect(freya.organizations.map(\.slug) == ["harbour-books"])
    let id = try #require(freya.id)
    _ = await send(["action": "edit", "id": id, "first_name": "", "password": ""])
    let changed = try #require(try await world.account(id))
    #expect(changed.firstName == nil && changed.emailAddresses.count == 2)
    #expect(try await world.accountsWithPassword([id]) == [id])
  }

  private func opened(_ id: String) async throws -> FormData {
    try await workbench.open("users?user=\(id)").form("edit")
  }

  @Test("a form that is saved leaves what was changed elsewhere since it was opened")
  func twoTabs() async throws {
    let world = try await worlds.world(.main)
    let (one, other) = (try await opened("user_ada"), try await opened("user_ada"))
    let new = await send(other.typing(["email_addresses": "ada.new@example.com"]))
    #expect(new.status == 303)
    #expect(await send(one.typing(["first_name": "Adele"])).status == 303)
    let ada = try #require(try await world.account("user_ada"))
    #expect(ada.firstName == "Adele" && ada.emailAddresses == ["ada.new@example.com"])

    let lou = try await opened("user_lou")
    _ = try await world.change("user_lou", ["tasks": ["setup-mfa"], "client_trust": true])
    #expect(await send(lou.typing(["first_name": "Louis"])).status == 303)
    let after = try #require(try await world.account("user_lou"))
    #expect(after.firstName == "Louis" && after.tasks == [.setUpSecondFactor])
    #expect(after.clientTrust)
  }

  @Test("what was changed elsewhere, too, is refused once and kept; saving again replaces it")
  func conflicts() async throws {
    let world = try await worlds.world(.main)
    let form = try await opened("user_ada")
    _ = try await world.change(
      "user_ada",
      ["email_addresses": ["b@example.com"], "client_trust": true, "last_name": "Byron"]
    )
    let before = try #require(try await world.account("user_ada"))
    let typed = form.typing(["first_name": "Adele", "email_addresses": "a@example.com"])
    let refused = await send(typed)
    #expect(refused.status == 422)
    let words = "was changed elsewhere meanwhile, and is “b@example.com” now"
    #expect(refused.html.contains("<a href=\"#edit-email_addresses\">Email addresses: \(words)"))
    #expect(try await world.account("user_ada") == before)
    let again = try refused.form("edit")
    #expect(again.values(of: "email_addresses") == ["a@example.com"])
    #expect(again.values(of: "first_name") == ["Adele"])
    #expect(again.values(of: "last_name") == ["Byron"], "nobody has typed another")
    #expect(again.values(of: "client_trust").last == "true")
    #expect(await send(again).status == 303)
    let after = try #require(try await world.account("user_ada"))
    #expect(after.firstName == "Adele" && after.emailAddresses == ["a@example.com"])
    #expect(after.lastName == "Byron" && after.clientTrust)
  }

  @Test("every conflict is shown at its field, and the same change elsewhere is none")
  func severalConflicts() async throws {
    let world = try await worlds.world(.main)
    let form = try await opened("user_ada")
    _ = try await world.change(
      "user_ada",
      ["first_name": "Bea", "last_name": "Byron", "username": "bea"]
    )
    let refused = await send(
      form.typing(["first_name": "Adele", "last_name": "Byron", "username": "adele"])
    )
    #expect(refused.status == 422)
    for (key, isWrong) in [("first_name", true), ("last_name", false), ("username", true)] {
      #expect(refused.html.contains("id=\"edit-\(key)-error\"") == isWrong, "\(key)")
      #expect(refused.html.contains("<li><a href=\"#edit-\(key)\">") == isWrong, "\(key)")
    }
  }

  @Test(
    "a form in which nothing was changed makes no call, whether its switches are off or on",
    arguments: ["user_mia", "user_nia"]
  )
  func untouchedForm(id: String) async throws {
    let sent = try await send(opened(id))
    #expect(sent.status == 303)
    let page = await workbench.open("users?user=\(id)", cookie: sent.cookie)
    #expect(page.html.contains("Nothing was changed."))
  }

  @Test("a switch that was turned on stays on after a refusal, and counts as filled in")
  func refusedSwitch() async throws {
    let empty = try await workbench.open("users?new").form("add")
    let refused = await send(empty.typing(["client_trust": "true"]))
    #expect(refused.status == 422)
    #expect(refused.html.contains("data-unsent=\"add\""))
    #expect(try refused.form("add").values(of: "client_trust").last == "true")
  }

  @Test("organisations with different names are different, in any script; known ones stay")
  func organizations() async throws {
    let world = try await worlds.world(.main)
    for (person, organizations) in [
      ("a", "東京"), ("b", "大阪, 東京"), ("c", "Acme, Inc."), ("d", "Pine Street"),
    ] {
      let sent = await send([
        "action": "add", "email_addresses": "\(person)@a.example", "organizations": organizations,
      ])
      #expect(sent.status == 303)
    }
    var known: [String: Set<String>] = [:]
    for person in ["a", "b", "c", "d"] {
      let account = try await world.account(identifiedBy: "\(person)@a.example")
      for organization in account?.organizations ?? [] {
        known[organization.name, default: []].insert(organization.slug)
      }
    }
    #expect(known.keys.sorted() == ["Acme", "Inc.", "Pine Street", "大阪", "東京"].sorted())
    #expect(known.values.allSatisfy { $0.count == 1 })
    #expect(Set(known.values).count == known.count)
    #expect(known["Pine Street"] == ["pine-street"])
  }

  @Test("a comma in an organisation's name does not split it if the account has it already")
  func commas() async throws {
    let world = try await worlds.world(.main)
    var smith = AccountDescription()
    smith.id = "user_smith"
    smith.emailAddresses = ["smith@example.com"]
    smith.organizations = [.init(name: "Smith, Jones & Co", slug: "sj", role: "org:admin")]
    _ = try await world.add(smith)
    let before = try #require(try await world.account("user_smith")).organizations
    for (typed, slugs) in [
      ("Smith, Jones & Co", ["sj"]), ("Smith,  Jones & Co , Pine Street", ["sj", "pine-street"]),
    ] {
      _ = await send(["action": "edit", "id": "user_smith", "organizations": typed])
      let after = try #require(try await world.account("user_smith")).organizations
      #expect(after.map(\.slug) == slugs)
      #expect(after.first == before.first)
    }
  }

  @Test("unchanged organisations stay as they were, with their roles, even two with one name")
  func untouchedOrganizations() async throws {
    let world = try await worlds.world(.main)
    var smith = AccountDescription()
    smith.id = "user_smith"
    smith.emailAddresses = ["smith@example.com"]
    smith.organizations = [
      .init(name: "Smith", slug: "smith", role: "Admin of all"),
      .init(name: "Smith", slug: "smith-2"),
    ]
    _ = try await world.add(smith)
    let sent = await send([
      "action": "edit", "id": "user_smith", "first_name": "Sam", "organizations": "Smith, Smith",
    ])
    #expect(sent.status == 303)
    let after = try #require(try await world.account("user_smith"))
    #expect(after.firstName == "Sam")
    #expect(after.organizations == smith.organizations)
  }

  @Test("an impossible value is reported at its field, and what was typed comes back")
  func refusals() async throws {
    let sent = await send([
      "action": "edit", "id": "user_ada", "first_name": "Grace", "email_addresses": "nobody",
    ])
    #expect(sent.status == 422)
    #expect(sent.html.contains("value=\"Grace\"") && sent.html.contains("value=\"nobody\""))
    #expect(
      sent.html.contains(
        #/aria-describedby="edit-email_addresses-hint edit-email_addresses-error"/#
      )
    )
    #expect(sent.html.contains("<a href=\"#edit-email_addresses\">Email addresses: "))
  }

  @Test(
    "every impossible value is told at its field and listed with a link, in the form's order",
    arguments: [["action": "add"], ["action": "edit", "id": "user_ada"]] as [FormData]
  )
  func severalRefusals(form: FormData) async throws {
    let name = try #require(form["action"])
    let before = try await worlds.world(.main).account("user_ada")
    let sent = await send(
      form.typing([
        "first_name": "Grace", "email_addresses": "nobody", "phone_numbers": "12",
        "totp_secret": "!",
      ])
    )
    #expect(sent.status == 422)
    let listed = sent.html.matches(of: #/<li><a href="#([^"]+)">([^<]+)<\/a><\/li>/#)
    #expect(
      listed.map { String($0.output.1) } == [
        "\(name)-email_addresses", "\(name)-phone_numbers", "\(name)-totp_secret",
      ]
    )
    #expect(listed.last?.output.2 == "Key of the authenticator app: not base32")
    for match in listed {
      let id = match.output.1
      #expect(sent.html.contains("id=\"\(id)-error\""), "\(id)")
      #expect(sent.html.contains("\(id)-error\" aria-invalid=\"true\""), "\(id)")
    }
    #expect(!sent.html.contains("id=\"\(name)-first_name-error\""))
    #expect(sent.html.contains("value=\"Grace\"") && sent.html.contains("value=\"nobody\""))
    #expect(try await worlds.world(.main).account("user_ada") == before)
  }

  @Test("that nobody could sign in is told beside the impossible values of other fields")
  func namelessAndWrong() async throws {
    let empty: FormData = ["email_addresses": "", "phone_numbers": "", "totp_secret": "!"]
    let edited = try await opened("user_ada").typing(empty)
    for form in [(["action": "add"] as FormData).typing(empty), edited] {
      let sent = await send(form)
      #expect(sent.status == 422)
      for key in ["email_addresses", "totp_secret"] {
        #expect(sent.html.contains("-\(key)-error\" class=\"error-message\""), "\(key)")
      }
      #expect(sent.html.ranges(of: "<li><a href=\"#").count == 2)
    }
  }

  @Test("over Entra every impossible value of its own fields is told, and each to programs, too")
  func severalOverEntra() async throws {
    let workbench = try WorkbenchClient(over: Worlds(storage: .memory, behind: .entra))
    let form: FormData = [
      "action": "edit", "id": "user_dina", "entra.methods": "12", "entra.attributes": "[]",
    ]
    let sent = await workbench.send("users", form)
    #expect(sent.status == 422)
    for key in ["entra.methods", "entra.attributes"] {
      #expect(sent.html.contains("<li><a href=\"#edit-\(key)\">"), "\(key)")
    }
    let twin = await workbench.send("users", form, [.accept: "application/json"])
    let errors = JSON(decoding: twin.response.body)?["errors"]?.array ?? []
    #expect(errors.map { $0["code"] } == ["invalid_value", "invalid_value"])
    #expect(errors.last?["message"] == "'entra.attributes': not an object")
  }

  @Test(
    "a password that was typed does not come back, and is asked for again (R9)",
    arguments: [["action": "add"], ["action": "edit", "id": "user_ada"]] as [FormData]
  )
  func typedPassword(form: FormData) async throws {
    var fields = form
    fields.append("email_addresses", "nobody")
    let without = await send(fields)
    #expect(without.status == 422 && !without.html.contains("type it again"))
    fields.append("password", "quite-a-secret")
    let sent = await send(fields)
    #expect(sent.status == 422)
    #expect(sent.html.contains("value=\"nobody\"") && !sent.html.contains("quite-a-secret"))
    let field = try #require(
      sent.html.firstMatch(of: #/<input id="[a-z]+-password" name="password"[^>]*>/#)
    )
    #expect(field.output.contains("autocomplete=\"off\""))
    #expect(!field.output.contains(#/value="[^"]/#))
    #expect(sent.html.contains("It is not kept: type it again."))
  }

  @Test(
    "a user with nothing to sign in with is not added; the form says so at the first such field",
    arguments: [
      ["email_addresses": "", "phone_numbers": "", "username": ""],
      ["first_name": "Freya", "email_addresses": " , ", "username": " "],
    ] as [FormData]
  )
  func nameless(fields: FormData) async throws {
    let world = try await worlds.world(.main)
    let count = try await world.accountCount()
    let sent = await send(FormData([.init(name: "action", value: "add")] + fields.fields))
    #expect(sent.status == 422)
    let words = "an address, a phone number or a username is expected"
    #expect(sent.html.contains("<a href=\"#add-email_addresses\">Email addresses: \(words)</a>"))
    #expect(try await world.accountCount() == count)
    #expect(await send(["action": "add", "username": "freya"]).status == 303)
  }

  @Test("a person's page shows codes of the app and backup codes, but never a password")
  func factors() async throws {
    let world = try await worlds.world(.main)
    world.clock.freeze(true)
    let reading = try #require(try await world.authenticatorReading(of: "user_mia"))
    let html = await open("?user=user_mia")
    #expect(html.contains(">\(reading.code)<") && html.contains("mia-0000-0010"))
    #expect(html.contains("<p class=\"handed\" data-app>"), "what scripts renew")
    #expect(!html.contains("walk-right-in-42"))
  }

  @Test("this browser is signed in through the pages' own steps, or told why not")
  func enters() async throws {
    let sent = await send(["action": "enter", "id": "user_ada"])
    #expect(sent.location == "/account")
    #expect(sent.fields[values: .setCookie] == ["a=walk-right-in-42", "b=2"])
    let refused = await send(["action": "enter", "id": "user_mia"])
    #expect(refused.status == 422)
    #expect(refused.html.contains("mia@example.com cannot be signed in: The door is shut."))
  }

  @Test("a link to an account that is gone says so above the list")
  func goneAccount() async {
    let page = await workbench.open("users?user=gone")
    #expect(page.status == 404)
    #expect(page.html.contains("There is no account &#39;gone&#39; in this world."))
    #expect(page.html.contains("<title>Error: Users – Vestibule</title>"))
    #expect(page.html.contains("user=user_ada\""))
    #expect(await workbench.open("users?user=user_ada").status == 200)
  }

  @Test("a list that is to continue after an account that is gone begins at the first")
  func gone() async {
    #expect(await open("?after=user_nobody").contains("user=user_ada\""))
  }

  @Test("an account that nobody can name has nothing to sign in with")
  func identifierless() async throws {
    var nobody = AccountDescription()
    nobody.id = "user_nobody"
    _ = try await worlds.world(.main).add(nobody)
    let html = await open("?user=user_nobody")
    #expect(html.contains("Has no address, phone number or username."))
    #expect(!html.contains("Sign in as"))
    let kurt = await open("?user=user_kurt")
    #expect(!kurt.contains("Has no address, phone number or username."))
    #expect(kurt.contains("Sign in as kurt"))
    let form = try await opened("user_nobody").typing(["first_name": "Noor"])
    #expect(await send(form).status == 303, "other things can be changed")
  }

  @Test("the last thing to sign in with is not taken away; the first such field says so")
  func lastName() async throws {
    let form = try await opened("user_ada")
    let sent = await send(form.typing(["email_addresses": "", "phone_numbers": " "]))
    #expect(sent.status == 422)
    let words = "an address, a phone number or a username is expected"
    #expect(sent.html.contains("<a href=\"#edit-email_addresses\">Email addresses: \(words)</a>"))
    let ada = try #require(try await worlds.world(.main).account("user_ada"))
    #expect(ada.emailAddresses == ["ada@example.com"])
    let other: FormData = ["email_addresses": "", "phone_numbers": "", "username": "ada_l"]
    #expect(await send(form.typing(other)).status == 303)
  }

  @Test("the notice of a saved account names it as it is called then")
  func savedName() async throws {
    let form = try await opened("user_ada")
    let sent = await send(form.typing(["email_addresses": "ada.new@example.com"]))
    let page = await workbench.open("users?user=user_ada", cookie: sent.cookie)
    #expect(page.html.contains("ada.new@example.com is saved."))
  }
}
