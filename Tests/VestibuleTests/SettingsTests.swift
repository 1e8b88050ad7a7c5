import ArgumentParser
import Foundation
import Testing

@testable import Vestibule
@testable import VestibuleCommand

@Suite("Settings")
struct SettingsTests {
  private static func configuration(
    _ arguments: [String],
    _ variables: [String: String] = [:]
  ) throws -> Configuration {
    try ServeSettings(
      ServeCommand.parse(arguments).options,
      environment: Environment(variables)
    ).configuration()
  }

  @Test("without any, the pages stand before the emulated API, for this machine alone")
  func defaults() throws {
    let configuration = try Self.configuration([])
    #expect(configuration.authAPI.isEmulated)
    #expect(configuration.pages == Configuration.Address(host: "127.0.0.1", port: 8080))
    #expect(configuration.emulator == nil)
    #expect(configuration.dataFolder == ".vestibule")
    #expect(configuration.throttle == nil)
    #expect(configuration.authAPI.isOnLoopback)
  }

  @Test("a variable says what its option says; the option wins; an empty variable says nothing")
  func variables() throws {
    let variables = [
      "VESTIBULE_PORT": "9000", "VESTIBULE_ALLOW_HOST": "a.test, b.test",
      "VESTIBULE_THROTTLE": "off", "VESTIBULE_DATA": "", "VESTIBULE_ROOM": "Pages",
      "VESTIBULE_COMMIT": "abc", "VESTIBULE_ALLOCATOR": "system",
      "VESTIBULE_RELOAD_TEMPLATES": "yes", "HOME": "/root",
    ]
    let configuration = try Self.configuration(["--throttle", "on"], variables)
    #expect(configuration.pages?.port == 9000)
    #expect(configuration.allowedHosts == ["a.test", "b.test"])
    #expect(configuration.throttle == true)
    #expect(configuration.dataFolder == ".vestibule")
    #expect(configuration.reloadsTemplates)
  }

  @Test("a folder that an option names is used, whatever a variable says of memory")
  func dataFolder() throws {
    let inMemory = ["VESTIBULE_IN_MEMORY": "on", "VESTIBULE_DATA": "/var/lib/vestibule"]
    #expect(try Self.configuration(["--data", "kept"], inMemory).dataFolder == "kept")
    #expect(try Self.configuration([], inMemory).dataFolder == nil)
    #expect(try Self.configuration(["--in-memory"], ["VESTIBULE_DATA": "d"]).dataFolder == nil)
  }

  @Test("a folder to write to is not what an option of no text names")
  func emptyFolders() {
    for (option, read) in [
      ("data", { _ = try Self.configuration(["--data", ""]) }),
      ("out", { _ = try Environment([:]).destination("") }),
    ] as [(String, () throws -> Void)] {
      let failure = #expect(throws: StartFailure.self, performing: read)
      #expect(failure?.kind == .usage)
      #expect(failure?.description == "--\(option) is empty: it names a folder to write to")
    }
  }

  @Test("all ports are on the host that is said, whose IPv6 address may stand in brackets")
  func hosts() throws {
    let ports = ["--emulator-port", "4011", "--metrics-port", "9101"]
    for (host, found) in [
      ([], "127.0.0.1"), (["--host", "[::1]"], "::1"), (["--host", "::1"], "::1"),
      (["--host", "LOCALHOST"], "localhost"),
    ] {
      let configuration = try Self.configuration(ports + host)
      let addresses = [configuration.pages, configuration.emulator, configuration.metrics]
      #expect(addresses.map { $0?.host } == [found, found, found])
    }
  }

  @Test("the address overrides the key's; both name a real instance, with limits of our own")
  func realInstances() throws {
    let key = "pk_test_" + Data("brave-otter-7.clerk.accounts.dev$".utf8).base64EncodedString()
    let byKey = try Self.configuration(["--publishable-key", key])
    #expect("\(byKey.authAPI)".contains("brave-otter-7.clerk.accounts.dev"))
    #expect(!byKey.authAPI.isOnLoopback)
    let byAddress = try Self.configuration([
      "--publishable-key", key, "--frontend-api-url", "http://127.0.0.1:4010",
    ])
    #expect("\(byAddress.authAPI)".contains("127.0.0.1"))
    #expect(byAddress.authAPI.isOnLoopback)
  }

  @Test("what is typed wrongly is bad usage, what stands in a variable a bad configuration")
  func kinds() {
    #expect(throws: StartFailure.self) { try Self.configuration(["--port", "x"]) }
    for (arguments, variables, kind) in [
      (["--port", "x"], [:], .usage), ([], ["VESTIBULE_PORT": "x"], .configuration),
      (["--port", "٣"], [:], .usage), (["--emulator-port", "1e3"], [:], .usage),
    ] as [([String], [String: String], StartFailure.Kind)] {
      do {
        _ = try Self.configuration(arguments, variables)
        Issue.record("accepted: \(arguments) \(variables)")
      } catch {
        #expect((error as? StartFailure)?.kind == kind)
      }
    }
  }

  @Test("every option of serve has its variable")
  func everyOption() throws {
    let help = ServeCommand.helpMessage()
    let options = Set(help.matches(of: #/--([a-z][a-z-]+)/#).map { String($0.1) })
    for option in options.subtracting(["help", "version"]) {
      let variable = "VESTIBULE_" + option.uppercased().replacing("-", with: "_")
      do {
        _ = try Self.configuration([], [variable: ""])
      } catch {
        Issue.record("\(variable): \(error)")
      }
    }
    #expect(options.count > 20)
  }

  @Test(
    "a brand is read from the file that the option or its variable names, before anything starts"
  )
  func brand() throws {
    let folder = "templates/brands/harbour"
    #expect(try Self.configuration(["--brand", "\(folder)/brand.json"]).brand != nil)
    #expect(
      try Self.configuration([], ["VESTIBULE_BRAND": "\(folder)/brand.json"]).brand != nil
    )
    #expect(try Self.configuration([]).brand == nil)
    let failure = #expect(throws: StartFailure.self) {
      try Self.configuration(["--brand", "\(folder)/logo.svg"])
    }
    #expect(failure?.kind == .configuration)
    #expect(failure?.description.contains("it is not JSON") == true)
  }

  @Test("a tag of English is a language that the pages speak", arguments: ["en", "en-GB", "EN_us"])
  func language(tag: String) throws {
    try Self.configuration(["--language", tag, "--in-memory"]).checkPages(at: .init(port: 8_080))
  }

  @Test("another one is refused, and told which there are", arguments: ["klingon", "tlh", "e", ""])
  func unknownLanguage(tag: String) throws {
    let configuration = try Self.configuration(["--language", tag, "--in-memory"])
    let failure = #expect(throws: StartFailure.self) {
      try configuration.checkPages(at: .init(port: 8_080))
    }
    #expect(failure?.kind == .usage)
    #expect(failure?.description.contains("en, ") == true)
  }
}
