import Foundation
import Logging
import Testing
import TestSupport

@testable import Vestibule

@Suite("Notes about the emulator's options")
struct EmulatorNotesTests {
  private static func configuration(over api: EmulatedAuthAPI) -> Configuration {
    var configuration = Configuration()
    configuration.service = .pages(at: Configuration.Address(port: 0), over: .emulated(api))
    configuration.dataFolder = nil
    return configuration
  }

  @Test("log and check say if a stored world keeps its accounts although --users has others")
  func storedAccounts() async throws {
    let words = "the stored world main keeps its own accounts, not those of --users"
    try await withTemporaryFolder { folder in
      let (ann, bob) = ("\(folder)/ann.json", "\(folder)/bob.json")
      try writeFile(#"[{"email_addresses":["ann@example.com"]}]"#, to: ann)
      try writeFile(#"[{"email_addresses":["bob@example.com"]}]"#, to: bob)
      for (users, isTold) in [(ann, false), (ann, false), (bob, true), (nil, false)]
        as [(String?, Bool)]
      {
        var configuration = Self.configuration(over: .clerk)
        configuration.dataFolder = "\(folder)/data"
        if let users { try configuration.readUsers(users) }
        let checkup = try await Checkup.of(configuration)
        let notes = checkup.lines.filter { $0.hasPrefix("Note: ") }
        #expect(notes.count == (isTold ? 1 : 0))
        #expect(notes.allSatisfy { $0.hasPrefix("Note: \(words): POST /backstage/api/reset") })
        #expect(checkup.verdict == .ready)
        #expect(checkup.lines.last == "Ready.")
        let log = LogRecorder()
        try Composition(configuration, logger: log.logger).closeWorlds(logger: log.logger)
        let warnings = log.events.filter { $0.message == words }
        #expect(warnings.map(\.level) == (isTold ? [.warning] : []))
      }
    }
  }

  /// Every setting, with a value other than its default.
  private static let everySetting = """
    {"sign_up_mode":"restricted","identifier_first":true,"enumeration_protection":true,
    "client_trust":"needs_client_trust","mfa_required":true,"organizations_required":true,
    "organization_creation":false,"force_organization_selection":false,"email_link":true,
    "legal_consent":true,"terms_url":"https://harbour.example/terms","privacy_policy_url":null,
    "username":"required","phone":"off","names":"optional","password_min_length":9,
    "password_require":["upper"],"leaked_password_check":false,"compromised_password_code":false,
    "code_lifetime_seconds":60,"code_attempts":4,"resend_cooldown_seconds":5,"lockout_attempts":3,
    "lockout_seconds":60,"session_seconds":60,"rate_limits":true,"test_mode":false,
    "bot_protection":true,"jwt_templates":["harbour"],"entra_scopes_granted":["api://orders/Read"],
    "entra_reset_polls":2,"entra_required_attributes":[{"name":"city"},
    {"name":"country","required":false}],"entra_challenge_types":["oob"]}
    """

  /// What `check` says about an instance with all of them.
  private static func lines(over api: EmulatedAuthAPI) async throws -> [String] {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/instance.json"
      try writeFile(everySetting, to: path)
      var configuration = Self.configuration(over: api)
      try configuration.readInstance(path)
      return try await Checkup.of(configuration).lines
    }
  }

  /// The settings that a section of the article names.
  private static func keys(in section: String) throws -> Set<String> {
    let path = "\(ProjectFolder.root)/Sources/Emulators/Emulators.docc/EmulatorSettings.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let part = try #require(
      text.components(separatedBy: "\n## ").first { $0.hasPrefix("\(section)\n") }
    )
    return Set(part.matches(of: #/`([a-z]+(?:_[a-z]+)*)`/#).map { String($0.1) })
  }

  @Test("check notes each setting that changes nothing over the API, and no other")
  func withoutEffect() async throws {
    let ofClerk = try Self.keys(in: "Clerk alone").subtracting(["check"])
    let ofEntra = try Self.keys(in: "Entra alone").filter { $0.hasPrefix("entra_") }
    for (api, name, expected) in [
      (.clerk, "Clerk", ofEntra), (.entra, "Entra", ofClerk),
    ] as [(EmulatedAuthAPI, String, Set<String>)] {
      let words = " of --instance has no effect with \(name)'s API"
      let notes = try await Self.lines(over: api)
        .filter { $0.hasPrefix("Note: ") && $0.hasSuffix(words) }
      #expect(Set(notes) == Set(expected.map { "Note: \($0)\(words)" }))
      #expect(notes.count == expected.count)
    }
  }

  @Test("check notes settings that keep people out, and values that change nothing over the API")
  func withOtherEffect() async throws {
    for (api, expected) in [
      (.clerk, ["bot_protection"]), (.entra, ["names", "mfa_required"]),
    ] as [(EmulatedAuthAPI, [String])] {
      let notes = try await Self.lines(over: api).filter { $0.hasSuffix(" (--instance)") }
      #expect(notes.count == expected.count, "\(notes)")
      for key in expected {
        #expect(notes.contains { $0.hasPrefix("Note: \(key) ") }, "\(key): \(notes)")
      }
    }
  }

  @Test("check shows what sign-up asks, the terms, the rules of passwords, and locks")
  func facts() async throws {
    let clerk = try await Self.lines(over: .clerk)
    for line in [
      "  sign-up asks    first_name (optional), last_name (optional), username, email_address, password",
      "  legal consent   asked for: terms https://harbour.example/terms",
      "  new passwords   9 to 72 characters, with upper",
      "  lock            after 3 failures, for 60 seconds",
    ] { #expect(clerk.contains(line), "\(line): \(clerk)") }
    let entra = try await Self.lines(over: .entra)
    for line in [
      "  sign-up         restricted", "  names           optional",
      "  attributes      city, country (optional)", "  challenge types oob",
      "  new passwords   9 to 256 characters, with upper, of 3 kinds",
      "  lock            after 3 failures, for 60 seconds",
    ] { #expect(entra.contains(line), "\(line): \(entra)") }
    let usual = try await Checkup.of(Self.configuration(over: .clerk)).lines
    #expect(usual.contains("  legal consent   not asked for"))
    #expect(!usual.contains { $0.hasPrefix("Note: ") })
  }

  @Test("check says that consent has no document, and that nothing locks or ends a lock")
  func fewerFacts() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/instance.json"
      for (settings, lines) in [
        (
          #"{"legal_consent":true,"terms_url":null,"privacy_policy_url":null,"lockout_attempts":0}"#,
          ["  legal consent   asked for", "  lock            never"]
        ),
        (
          #"{"lockout_seconds":null}"#,
          ["  lock            after 10 failures, until someone unlocks"]
        ),
      ] {
        try writeFile(settings, to: path)
        var configuration = Self.configuration(over: .clerk)
        try configuration.readInstance(path)
        let told = try await Checkup.of(configuration).lines
        for line in lines { #expect(told.contains(line), "\(line): \(told)") }
      }
    }
  }
}
