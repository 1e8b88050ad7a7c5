import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// What the map says is what somebody has walked: the auth API decides what is next, no type does.
@Suite("The map of the flows, held against walks", .inTurn)
struct MapJourneys {
  /// Ways from page to page, as `sign-in account`.
  private struct Ways {
    /// By a form, or by a link that the page has.
    var led: Set<String> = []
    /// By an address that was opened, or by a step that was thrown away.
    var taken: Set<String> = []
  }

  private static let apis = [Stage.inProcess, Stage(place: .inProcess, api: .entra)]

  @Test("has an arrow for each way that is walked, and none that nobody has walked")
  func arrows() async throws {
    var ways = Ways()
    var arrows: Set<String> = []
    for stage in Self.apis {
      try await stage.play { scene in
        arrows = try await Self.arrows(of: scene)
        for (number, (name, story)) in try Self.stories(over: stage.api.rawValue).enumerated() {
          let player = StoryPlayer(over: scene.pages, host: scene.host, world: "walk-\(number)")
          try await player.prepare(story)
          try await Self.walk(story.steps, name, by: player, &ways)
        }
        let stands = try Stands(over: stage.api.rawValue)
        for (number, name) in stands.states.sorted().enumerated() {
          let player = StoryPlayer(over: scene.pages, host: scene.host, world: "stand-\(number)")
          try await Self.walk(stands.walk(to: name) ?? [], name, by: player, &ways)
        }
        if stage.api == .clerk { try await Self.comeBack(scene, &ways) }
      }
    }
    #expect(ways.led.subtracting(arrows).sorted() == [], "walked, and no arrow of the map")
    #expect(
      arrows.subtracting(ways.led).subtracting(ways.taken).sorted() == [],
      "nobody walks there"
    )
  }

  private static func arrows(of scene: Scene) async throws -> Set<String> {
    let answer = try await scene.newBrowser().send(.get, "/backstage/map")
    let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    let facts = try #require(page?["facts"] as? [String: Any])
    let arrows = try #require(facts["arrows"] as? [[String: String]])
    #expect(arrows.count > 50)
    return Set(arrows.map { "\($0["from"] ?? "") \($0["to"] ?? "")" })
  }

  /// Those that come along, and those below.
  private static func stories(over api: String) throws -> [(String, Story)] {
    let told = try Story.builtIn().filter { $0.api ?? api == api }.map { ($0.name, $0) }
    let own = try (api == "clerk" ? overClerk : overEntra).enumerated().map { number, steps in
      let list = steps.map { "{\"say\": \"On.\", \($0)}" }.joined(separator: ", ")
      let file = #"{"name": "own-\#(number)", "title": "T", "summary": "S", "steps": [\#(list)]}"#
      return ("own \(number)", try Story(document: Array(file.utf8)))
    }
    return told + own
  }

  private static func walk(
    _ steps: [Story.Step],
    _ name: String,
    by player: StoryPlayer,
    _ ways: inout Ways
  ) async throws {
    for (index, step) in steps.enumerated() {
      let before = await player.browser.page
      #expect(await player.perform(step) == .asTold, "\(name), step \(index + 1)")
      guard let before, let after = await player.browser.page, before.page != after.page else {
        continue
      }
      let way = "\(before.page) \(after.page)"
      switch step.action {
      case .submit(_, let form):
        let action = (form.map { before.form($0) } ?? before.form)?.action ?? ""
        // A step can be thrown away wherever one stands.
        if action.hasSuffix("/restart") { ways.taken.insert(way) } else { ways.led.insert(way) }
      case .open(.path(let path)):
        let isLinked = before.links.contains { $0.href.prefix { $0 != "?" } == path }
        if isLinked { ways.led.insert(way) } else { ways.taken.insert(way) }
      case .open(.link), .stand, .deed, nil: break
      }
    }
  }

  /// The one way that leads through another's page.
  private static func comeBack(_ scene: Scene, _ ways: inout Ways) async throws {
    let browser = scene.newBrowser()
    let before = try await browser.signIn("sven@example.com")
    _ = try await scene.decide("approve", at: before.providerLink)
    let after = try await browser.submit(form: "finished")
    ways.led.insert("\(before.page) \(after.page)")
  }

  private static let password = "walk-right-in-42"
  private static let invited = [
    #""invitation": {"email_address": "noor@example.com"}"#,
    #""open": {"latest": {"to": "noor@example.com", "purpose": "invitation"}}"#, #""submit": {}"#,
    #""submit": {"password": "quiet-harbour-77-lamps"}"#,
  ]

  private static let overClerk: [[String]] = [
    [
      #""open": "/sign-in""#,
      #""submit": {"identifier": "ada@example.com", "password": "\#(password)"}"#,
      #""open": "/sign-out""#, #""submit": {}"#,
    ],
    [
      #""open": "/sign-in""#,
      #""submit": {"identifier": "bann@example.com", "password": "\#(password)"}"#,
      #""open": "/sign-in""#,
    ],
    [
      #""settings": {"identifier_first": true, "email_link": true}"#, #""open": "/sign-in""#,
      #""submit": {"identifier": "ada@example.com"}"#, #""open": "/sign-in/methods""#,
      #""submit": {}, "form": "email_link""#,
    ],
    [
      #""settings": {"identifier_first": true}"#, #""open": "/sign-in""#,
      #""submit": {"identifier": "ada@example.com"}"#, #""open": "/sign-in/methods""#,
      #""submit": {}, "form": "email_code""#, #""open": "/sign-in/methods""#,
      #""submit": {}, "form": "password""#,
    ],
    [
      #""settings": {"email_link": true}"#, #""open": "/sign-up""#,
      #""submit": {"email_address": "una@example.com", "password": "quiet-harbour-77-lamps"}"#,
      #""open": {"latest": {"to": "una@example.com"}}"#, #""submit": {}, "form": "continue""#,
    ],
    invited,
  ]

  private static let overEntra: [[String]] = [
    [
      #""settings": {"entra_reset_polls": 3}"#, #""open": "/forgot-password""#,
      #""submit": {"identifier": "ada@example.com"}"#,
      #""submit": {"code": {"latest": {"to": "ada@example.com"}}}"#,
      #""submit": {"password": "quiet-harbour-77-lamps"}"#, #""submit": {}"#, #""submit": {}"#,
      #""submit": {}"#,
    ],
    [
      #""open": "/sign-in""#,
      #""submit": {"identifier": "dina@example.com", "password": "\#(password)"}"#,
      #""submit": {}, "form": "stop""#,
    ],
  ]
}
