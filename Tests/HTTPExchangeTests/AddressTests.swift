import HTTPExchange
import HTTPTypes
import Testing

@Suite("Which host and world are asked")
struct AddressTests {
  static func request(hosts: [String], world: [String] = []) -> Request {
    var fields = HTTPFields()
    for host in hosts { fields.append(HTTPField(name: .host, value: host)) }
    for name in world { fields.append(HTTPField(name: .vestibuleWorld, value: name)) }
    return Request(method: .get, target: "/", headerFields: fields)
  }

  @Test(
    "listed hosts pass (S2)",
    arguments: [
      "localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "team-a.localhost:8080",
      "id.example.com",
    ]
  )
  func admits(host: String) {
    let policy = HostPolicy(port: 8080, authorities: ["id.example.com"], admitsWorlds: true)
    #expect(policy.admits(Self.request(hosts: [host])))
  }

  @Test(
    "every other spelling is refused (S2)",
    arguments: [
      [], [""], ["localhost"], ["localhost:80"], ["localhost:8080", "localhost:8080"],
      ["evil.example:8080"], ["localhost:8080.evil.example"], ["evil.localhost.example:8080"],
      ["a.b.localhost:8080"], [".localhost:8080"], ["under_score.localhost:8080"],
      ["localhost:8080@evil.example"], ["user@localhost:8080"], ["127.0.0.1.:8080"],
      ["127.1:8080"], ["2130706433:8080"], ["0.0.0.0:8080"], ["[::]:8080"],
      ["[::ffff:127.0.0.1]:8080"],
      ["localhost.:8080"], ["localhost:08080"], ["localhost:8080 "], ["id.example.com:8080"],
      // The Kelvin sign, whose small letter is a k of ASCII.
      ["wor\u{212A}.localhost:8080"],
    ]
  )
  func refuses(hosts: [String]) {
    let policy = HostPolicy(port: 8080, authorities: ["id.example.com"], admitsWorlds: true)
    // HTTPTypes trims blanks around a value, as RFC 9110, section 5.5 asks.
    let spaced = hosts == ["localhost:8080 "]
    #expect(policy.admits(Self.request(hosts: hosts)) == spaced)
  }

  @Test(
    "a host that would be a world's if its name were valid is recognised",
    arguments: [
      (["under_score.localhost:8080"], true), (["a.b.localhost:8080"], true),
      ([".localhost:8080"], true), (["team-a.localhost:8080"], false),
      (["localhost:8080"], false), (["under_score.localhost:8081"], false),
      (["evil.example:8080"], false), ([], false),
    ]
  )
  func misnames(hosts: [String], isMisnamed: Bool) {
    let policy = HostPolicy(port: 8080, admitsWorlds: true)
    #expect(policy.misnamesWorld(Self.request(hosts: hosts)) == isMisnamed)
    let withoutWorlds = HostPolicy(port: 8080, admitsWorlds: false)
    #expect(!withoutWorlds.misnamesWorld(Self.request(hosts: hosts)))
  }

  @Test(
    "the header that names a world wins over any name below localhost, but over no other host",
    arguments: [
      ("under_score.localhost:8080", ["ok"], true), ("a.b.localhost:8080", ["ok"], true),
      ("a.b.localhost:8080", ["NO"], false), ("a.b.localhost:8080", ["ok", "ok"], false),
      ("a.b.localhost:8081", ["ok"], false), (".localhost:8080", ["ok"], false),
      ("user@a.localhost:8080", ["ok"], false), ("<b>.localhost:8080", ["ok"], false),
      ("evil.example:8080", ["ok"], false), ("localhost.evil.example:8080", ["ok"], false),
    ]
  )
  func header(host: String, world: [String], isAdmitted: Bool) throws {
    let policy = HostPolicy(port: 8080, admitsWorlds: true)
    let request = Self.request(hosts: [host], world: world)
    #expect(policy.admits(request) == isAdmitted)
    if isAdmitted { #expect(try WorldName(namedBy: request).text == "ok") }
    #expect(!HostPolicy(port: 8080, admitsWorlds: false).admits(request))
  }

  @Test("without worlds no NAME.localhost is answered (S2)")
  func worldsOff() {
    let policy = HostPolicy(port: 8080, admitsWorlds: false)
    #expect(!policy.admits(Self.request(hosts: ["team-a.localhost:8080"])))
  }

  @Test("worlds are answered wherever localhost is, as at the port of a public address (S2)")
  func publicPort() {
    let policy = HostPolicy(
      port: 8080,
      authorities: ["localhost:9000", "id.example.com:9001"],
      admitsWorlds: true
    )
    for port in [8080, 9000] {
      #expect(policy.admits(Self.request(hosts: ["team-a.localhost:\(port)"])))
    }
    for host in ["team-a.localhost:9001", "team-a.localhost", "team-a.id.example.com:9001"] {
      #expect(!policy.admits(Self.request(hosts: [host])))
    }
  }

  @Test("port 80 may be left out")
  func defaultPort() {
    let policy = HostPolicy(port: 80, admitsWorlds: true)
    #expect(policy.admits(Self.request(hosts: ["localhost"])))
    #expect(policy.admits(Self.request(hosts: ["localhost:80"])))
    #expect(policy.admits(Self.request(hosts: ["a.localhost"])))
  }

  @Test(
    "a world is named by header, else by host, else it is main",
    arguments: [
      (["localhost:8080"], [], "main"), (["127.0.0.1:8080"], [], "main"),
      (["team-a.localhost:8080"], [], "team-a"), (["team-a.localhost:8080"], ["b"], "b"),
      (["TEAM.localhost"], [], "team"),
    ] as [([String], [String], String)]
  )
  func names(hosts: [String], header: [String], world: String) throws {
    #expect(try WorldName(namedBy: Self.request(hosts: hosts, world: header)).text == world)
  }

  @Test(
    "a host is recognised as this machine's in every spelling",
    arguments: [
      ("localhost", true), ("team-a.localhost", true), ("127.0.0.1", true), ("127.0.0.2", true),
      ("127.255.255.254", true), ("[::1]", true), ("::1", true), ("128.0.0.1", false),
      ("127.1", false), ("127.0.0.1.example", false), ("127.example", false),
      ("localhost.example", false), ("mylocalhost", false), ("[::2]", false), ("::", false),
      ("", false),
    ]
  )
  func loopback(host: String, isThisMachine: Bool) {
    #expect(Authority.isLoopback(host) == isThisMachine)
  }

  @Test(
    "the part before .localhost names a world, with a port or without",
    arguments: [
      ("team-a.localhost", "team-a"), ("team-a.localhost:8080", "team-a"), ("a.b.localhost", "a.b"),
      (".localhost", ""), ("localhost", nil), ("localhost:8080", nil), ("[::1]:8080", nil),
      ("team-a.localhost.example", nil), ("team-a.localhosts", nil), ("", nil),
    ] as [(String, String?)]
  )
  func label(host: String, label: String?) {
    #expect(WorldName.label(inHost: host).map(String.init) == label)
  }

  @Test(
    "an invalid world name is refused",
    arguments: [
      ["UPPER"], [""], ["a b"], ["a", "b"], [String(repeating: "a", count: 41)], ["ä"],
    ]
  )
  func refusesNames(header: [String]) {
    let request = Self.request(hosts: ["localhost"], world: header)
    #expect(throws: WorldName.Invalid()) { try WorldName(namedBy: request) }
    #expect(request.namedWorld == nil)
  }
}
