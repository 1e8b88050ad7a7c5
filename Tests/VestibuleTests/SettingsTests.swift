import ArgumentParser
import Foundation
import Testing
import TestSupport

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

  @Test("without settings, the pages serve the emulated API, for this machine alone")
  func defaults() throws {
    let configuration = try Self.configuration([])
    #expect(configuration.authAPI.isEmulated)
    #expect(configuration.pages == Configuration.Address(host: "127.0.0.1", port: 8080))
    #expect(configuration.emulator == nil)
    #expect(configuration.dataFolder == ".vestibule")
    #expect(configuration.throttle == nil)
    #expect(configuration.authAPI.isOnLoopback)
  }

  @Test("a variable counts like its option, the option wins, and an empty variable does not count")
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

  @Test("a folder that an option names is used, whatever a variable says about memory")
  func dataFolder() throws {
    let inMemory = ["VESTIBULE_IN_MEMORY": "on", "VESTIBULE_DATA": "/var/lib/vestibule"]
    #expect(try Self.configuration(["--data", "kept"], inMemory).dataFolder == "kept")
    #expect(try Self.configuration([], inMemory).dataFolder == nil)
    #expect(try Self.configuration(["--in-memory"], ["VESTIBULE_DATA": "d"]).dataFolder == nil)
  }

  @Test("an empty option does not name a folder to write to")
  func emptyFolders() {
    for (option, read) in [
      ("data", { _ = try Self.configuration(["--data", ""]) }),
      ("out", { _ = try Environment([:]).destination("") }),
    ] as [(String, () throws -> Void)] {
      let failure = #expect(throws: StartFailure.self, performing: read)
      #expect(failure?.kind == .usage)
      #expect(failure?.description == "--\(option) is empty: name a folder to write to")
    }
  }

  @Test("all ports are on the given host, whose IPv6 address may be in brackets")
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

  @Test("an address overrides the key's; our own limits are on unless it is on this machine")
  func realInstances() throws {
    let key = "pk_test_" + Data("brave-otter-7.clerk.accounts.dev$".utf8).base64EncodedString()
    let byKey = try Self.configuration(["--publishable-key", key])
    #expect("\(byKey.authAPI)".contains("brave-otter-7.clerk.accounts.dev"))
    #expect(!byKey.authAPI.isEmulated && !byKey.authAPI.isOnLoopback)
    #expect(byKey.hasThrottle)
    let byAddress = try Self.configuration([
      "--publishable-key", key, "--frontend-api-url", "http://127.0.0.1:4010",
    ])
    #expect("\(byAddress.authAPI)".contains("127.0.0.1"))
    #expect(!byAddress.authAPI.isEmulated && byAddress.authAPI.isOnLoopback)
    #expect(!byAddress.hasThrottle)
  }

  @Test("an invalid publishable key is refused with its source and the reason, without the key")
  func publishableKeys() {
    let secret = "sk_test_c2VjcmV0"
    for (arguments, variables, words) in [
      (["--publishable-key", "pk_test_x"], [:], "--publishable-key is invalid: what follows"),
      (
        ["--publishable-key", "'pk_test_x'"], [:], "--publishable-key is invalid: there are quotes"
      ),
      (
        [], ["VESTIBULE_PUBLISHABLE_KEY": secret],
        "VESTIBULE_PUBLISHABLE_KEY is invalid: this is a secret key"
      ),
    ] as [([String], [String: String], String)] {
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(arguments, variables)
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description.hasPrefix(words) == true, "\(failure?.description ?? "")")
      #expect(failure?.description.contains(secret) == false)
    }
  }

  @Test("the address of an instance must not have the version that every call begins with")
  func versions() throws {
    for address in ["http://localhost:4010/v1", "https://a.test/api/v1/"] {
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(["--frontend-api-url", address])
      }
      #expect(failure?.kind == .configuration)
      let words = "--frontend-api-url is invalid: leave off /v1"
      #expect(failure?.description.hasPrefix(words) == true)
    }
    for address in ["https://v1", "https://a.test/v12", "https://a.test/v1/api"] {
      _ = try Self.configuration(["--frontend-api-url", address])
    }
  }

  private static let tenant = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
  private static let app = "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"

  @Test("an app is known by a GUID, and any other text is refused without repeating it")
  func apps() throws {
    _ = try Self.configuration(["--authority", Self.tenant, "--client-id", Self.app])
    _ = try Self.configuration(["--authority", Self.tenant, "--client-id", Self.app.uppercased()])
    for (id, reason) in [
      ("'\(Self.app)'", "has quotes or spaces around it"),
      ("\(Self.app) ", "has quotes or spaces around it"), ("my app", "is not an app ID"),
      ("Q~8secret", "is not an app ID"), ("", "is not an app ID"),
    ] {
      let typed = #expect(throws: StartFailure.self) {
        try Self.configuration(["--authority", Self.tenant, "--client-id", id])
      }
      #expect(typed?.kind == .usage)
      #expect(typed?.description.hasPrefix("--client-id \(reason)") == true)
      #expect(id.isEmpty || typed?.description.contains(id) == false)
    }
    let variables = ["VESTIBULE_AUTHORITY": Self.tenant, "VESTIBULE_CLIENT_ID": "my app"]
    let kept = #expect(throws: StartFailure.self) { try Self.configuration([], variables) }
    #expect(kept?.kind == .configuration)
    #expect(kept?.description.hasPrefix("VESTIBULE_CLIENT_ID is not") == true)
  }

  @Test(
    "scopes are separated by spaces and of one API; an authority ends with its tenant"
  )
  func tenants() throws {
    let entra = ["--authority", Self.tenant, "--client-id", Self.app]
    // RFC 6749, section 3.3, allows some of these signs within a scope.
    for scopes in [
      "openid  api://orders/Read", "api://orders/Read,Write", "read:profile,email orders;v=2",
      "api://orders/o'neil",
    ] { _ = try Self.configuration(entra + ["--scopes", scopes]) }
    for scopes in [
      "openid,offline_access", "'openid'", "openid;profile", "openid, api://orders/Read",
      "openid , profile", "'openid profile'", "openid “api://orders/Read”",
      "api://orders/Read,api://orders/Write", "User.Read;Mail.Read",
    ] {
      for api in [entra, ["--api", "entra"]] {
        let failure = #expect(throws: StartFailure.self) {
          try Self.configuration(api + ["--scopes", scopes])
        }
        #expect(failure?.kind == .usage)
        #expect(failure?.description.hasPrefix("--scopes takes scopes separated by spaces") == true)
      }
    }
    for (scopes, resources) in [
      ("api://orders/Read api://billing/Write", "api://orders and of api://billing"),
      ("openid User.Read api://orders/Read", "https://graph.microsoft.com and of api://orders"),
    ] {
      for api in [entra, ["--api", "entra"]] {
        let failure = #expect(throws: StartFailure.self) {
          try Self.configuration(api + ["--scopes", scopes])
        }
        #expect(failure?.kind == .configuration)
        #expect(failure?.description.contains("names scopes of \(resources): a sign-in") == true)
      }
    }
    for scopes in ["api://orders/Read openid API://Orders/Write", "User.Read Mail.Read email"] {
      _ = try Self.configuration(entra + ["--scopes", scopes])
    }
    let gateway = "https://gw.example.com/entra/contoso.onmicrosoft.com"
    _ = try Self.configuration(["--authority", gateway, "--client-id", Self.app])
    for rest in ["/v2.0", "/oauth2/v2.0/authorize"] {
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(["--authority", Self.tenant + rest, "--client-id", Self.app])
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description.hasPrefix("--authority is invalid: ") == true)
      #expect(failure?.description.contains("not https://HOST/TENANT, with nothing after") == true)
    }
  }

  @Test(
    "a shell completes fixed values, files and folders",
    arguments: [
      ("api", "-W 'clerk'$'\\n''entra'"), ("throttle", "-W 'on'$'\\n''off'"),
      ("own-words", "-W 'on'$'\\n''off'"), ("log-format", "-W 'text'$'\\n''json'"),
      ("log-level", "-W 'trace'$'\\n''debug'"), ("templates", "-d"), ("public", "-d"),
      ("data", "-d"), ("brand", "-f"), ("users", "-f"), ("instance", "-f"), ("key-file", "-f"),
      ("tls-certificate", "-f"), ("tls-key", "-f"),
    ]
  )
  func completions(option: String, words: String) throws {
    let script = ServeCommand.completionScript(for: .bash)
    let branch = try #require(script.firstRange(of: "'--\(option)')"))
    let body = script[branch.upperBound...].prefix { $0 != ";" }
    #expect(body.contains("_add_completions \(words)"), "\(body)")
  }

  @Test("a wrong option is bad usage, and a wrong variable is a bad configuration")
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
    "a misspelt variable is refused with the one that was meant, if any is near",
    arguments: [
      ("PROT", ". Did you mean VESTIBULE_PORT?"), ("port", ". Did you mean VESTIBULE_PORT?"),
      ("KEYFILE", ". Did you mean VESTIBULE_KEY_FILE?"),
      ("INMEMORY", ". Did you mean VESTIBULE_IN_MEMORY?"),
      ("EMULATOR_PROT", ". Did you mean VESTIBULE_EMULATOR_PORT?"),
      ("COLOUR_SCHEME", ""), ("X", ""), ("", ""),
    ]
  )
  func misspeltVariable(name: String, question: String) {
    let failure = #expect(throws: StartFailure.self) {
      try Self.configuration([], ["VESTIBULE_\(name)": "1"])
    }
    #expect(failure?.kind == .configuration)
    #expect(failure?.description == "There is no setting VESTIBULE_\(name)\(question)")
  }

  @Test("a variable that the project's own build, tests and measurements name never ends a start")
  func ownVariables() throws {
    let single = [
      "Makefile", "Package.swift", ".ci/run", "CONTRIBUTING.md", ".packaging/debian/default",
    ]
    var files = try single.map { try TextFile($0) }
    files += try TextFile.all(below: ".packaging", endings: ["py", "service"])
    files += try TextFile.all(below: "Tests", endings: ["py"])
    var names = Set(
      files.flatMap { $0.text.matches(of: #/\bVESTIBULE_[A-Z]+(?:_[A-Z]+)*\b/#) }
        .map { String($0.output) }
    )
    // Tests in Swift also make up mistyped ones, so only those that they read count.
    for file in try TextFile.all(below: "Tests", endings: ["swift"]) {
      names.formUnion(
        file.text.matches(of: #/environment\["(VESTIBULE_[A-Z_]+)"\]/#).map { String($0.output.1) }
      )
    }
    #expect(names.isSuperset(of: ["VESTIBULE_PROGRAM", "VESTIBULE_RECORD", "VESTIBULE_DATA"]))
    for name in names.sorted() {
      do {
        _ = try Self.configuration([], [name: ""])
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
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

  @Test("a tag of English is accepted as the pages' language", arguments: ["en", "en-GB", "EN_us"])
  func language(tag: String) throws {
    try Self.configuration(["--language", tag, "--in-memory"]).checkPages(at: .init(port: 8_080))
  }

  @Test("an unknown one is refused, with the known ones", arguments: ["klingon", "tlh", "e", ""])
  func unknownLanguage(tag: String) throws {
    let failure = #expect(throws: StartFailure.self) {
      try Self.configuration(["--language", tag, "--in-memory"])
    }
    #expect(failure?.kind == .usage)
    #expect(failure?.description.hasPrefix("--language is not") == true)
    #expect(failure?.description.contains("en, ") == true)
  }

  @Test("an unknown language that no option has set is refused without naming an option")
  func unknownLanguageOfALibrary() throws {
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.language = "tlh"
    let failure = #expect(throws: StartFailure.self) {
      try configuration.checkPages(at: .init(port: 8_080))
    }
    #expect(failure?.kind == .configuration)
    #expect(failure?.description.contains("en, ") == true)
    #expect(failure?.description.hasSuffix(": tlh") == true)
    #expect(failure?.description.contains("--") == false)
  }

  @Test("the atlas takes its language from the option, or else from the variable, or is in English")
  func atlasLanguage() async throws {
    try await withTemporaryFolder { folder in
      for (arguments, variables, language) in [
        (["--language", "de"], ["VESTIBULE_LANGUAGE": "fr"], "de"),
        ([], ["VESTIBULE_LANGUAGE": "fr"], "fr"),
        ([], [:], "en"),
      ] as [([String], [String: String], String)] {
        let place = "\(folder)/\(language)"
        let options = try AtlasCommand.parse(["--out", place] + arguments).options
        let order = try AtlasOrder(options, environment: Environment(variables))
        _ = try order.folder.write(to: order.destination)
        let page = try String(contentsOfFile: "\(place)/sign-in/fresh.html", encoding: .utf8)
        #expect(page.contains("<html lang=\"\(language)\" "))
      }
    }
  }

  @Test("a custom language is accepted, and the parent of its templates' folder is pointed out")
  func ownLanguage() async throws {
    try await withTemporaryFolder { folder in
      let templates = "\(folder)/mine/templates"
      try writeFile(#"{"sign-in.heading": "Aanmelden"}"#, to: "\(templates)/messages/nl.json")
      let arguments = ["--language", "nl-BE", "--in-memory", "--templates"]
      let configuration = try Self.configuration(arguments + [templates])
      try configuration.checkPages(at: .init(port: 8_080))
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(arguments + ["\(folder)/mine"])
      }
      #expect(failure?.description.contains("one level deeper") == true)
    }
  }

  @Test(
    "a port is digits alone",
    arguments: ["+8080", "-1", "65536", "80a", "8 0"]
  )
  func ports(text: String) throws {
    let failure = #expect(throws: StartFailure.self) {
      try Self.configuration([], ["VESTIBULE_PORT": text])
    }
    #expect(failure?.kind == .configuration)
    #expect(failure?.description == "VESTIBULE_PORT is not a port from 0 to 65535: \(text)")
    #expect(try Self.configuration([], ["VESTIBULE_PORT": "65535"]).pages?.port == 65_535)
  }

  @Test("an option of Entra's API besides one of Clerk's clashes, whichever API is named")
  func bothAPIs() {
    let entra = ["--authority", Self.tenant, "--client-id", Self.app]
    let clerk = ["--frontend-api-url", "http://127.0.0.1:4010"]
    for (more, words) in [
      ([], "--authority is only for --api entra: \(Self.tenant)"),
      (["--api", "clerk"], "--authority is only for --api entra: \(Self.tenant)"),
      (
        ["--api", "entra"],
        "--frontend-api-url is only for --api clerk: http://127.0.0.1:4010"
      ),
    ] as [([String], String)] {
      let failure = #expect(throws: StartFailure.self) {
        try Self.configuration(entra + clerk + more)
      }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description == words)
    }
  }

  @Test("a scope may begin with a quote, as long as none ends it")
  func quoteInScope() throws {
    let entra = ["--authority", Self.tenant, "--client-id", Self.app, "--scopes"]
    _ = try Self.configuration(entra + ["'quoted"])
    #expect(throws: StartFailure.self) { try Self.configuration(entra + ["'quoted'"]) }
  }

  @Test("SSL_CERT_FILE has to hold a certificate")
  func certificateFile() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/authorities.pem"
      let environment = Environment(["SSL_CERT_FILE": path])
      try writeFile("-----BEGIN PRIVATE KEY-----\n", to: path)
      let failure = #expect(throws: StartFailure.self) {
        _ = try environment.trustedAuthorities()
      }
      #expect(
        failure?.description
          == "SSL_CERT_FILE is not a readable file of certificates (PEM): \(path)"
      )
      try writeFile("-----BEGIN CERTIFICATE-----\n", to: path)
      #expect(try environment.trustedAuthorities() == [path])
    }
  }
}
