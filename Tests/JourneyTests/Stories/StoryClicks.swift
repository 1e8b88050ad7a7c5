import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// A browser without scripts that walks a story by the bar's buttons.
struct StoryClicks: Sendable {
  /// What a page says of the story.
  struct Bar: Sendable {
    var title: String
    /// Such as `2 of 5`.
    var place: String
    /// The name of the browser that takes the step; nil if it is this one.
    var browser: String?
    var sentence: String?
    /// What can be pressed: the forms that are sent, by the buttons' moves.
    var moves: [String: (target: String, body: FormData)]
  }

  let browser: FormSession
  let origin: String

  private static let html: HTTPFields = [.accept: "text/html"]

  /// A new browser in the world to which an answer leads.
  init(_ transport: any HTTPTransport, following answer: Response) async throws {
    let location = try #require(answer.headerFields[.location].flatMap(URL.init(string:)))
    let host = "\(try #require(location.host())):\(try #require(location.port))"
    origin = "http://\(host)"
    // By name, too: over a socket the host is the transport's.
    let world = String(host.prefix { $0 != "." })
    browser = FormSession(over: recorded(transport), host: host, world: world)
  }

  func open(_ path: String) async throws -> String {
    try await shown(after: browser.send(.get, path, fields: Self.html))
  }

  /// Presses a button of the bar, and returns the page that it leads to.
  func press(_ move: String, on page: String) async throws -> String {
    let form = try #require(try Self.bar(of: page)?.moves[move], "no \(move): \(page.suffix(1500))")
    return try await send(form.body, to: form.target)
  }

  /// Sends the main form of a page with what a person types.
  func type(_ values: [String: String], on page: String) async throws -> String {
    let id = try #require(page.firstMatch(of: #/<form id="([^"]+)" class="form form-primary"/#))
    var form = try #require(Self.form(String(id.1), of: page))
    form.body.fields = form.body.fields.map { field in
      .init(name: field.name, value: values[field.name] ?? field.value)
    }
    return try await send(form.body, to: form.target)
  }

  private func send(_ body: FormData, to target: String) async throws -> String {
    try await shown(after: browser.send(.post, target, body: body, fields: Self.html))
  }

  private func shown(after answer: Response) async throws -> String {
    var answer = answer
    for _ in 0..<10 {
      guard answer.status == .seeOther, let location = answer.headerFields[.location] else { break }
      answer = try await browser.send(
        .get,
        location.hasPrefix(origin) ? String(location.dropFirst(origin.count)) : location,
        fields: Self.html
      )
    }
    return String(decoding: answer.body, as: UTF8.self)
  }

  // MARK: - Reading

  /// The bar of a page; nil if it has none.
  static func bar(of page: String) throws -> Bar? {
    guard let section = page.firstMatch(of: #/<section class="story-bar"(?s:.*?)</section>/#) else {
      return nil
    }
    let bar = String(section.0)
    var moves: [String: (target: String, body: FormData)] = [:]
    for match in bar.matches(of: #/<form method="post" action="([^"]+)" data-move="([a-z]+)">/#) {
      let rest = bar[match.range.upperBound...].prefix { $0 != "\u{0}" }
      let inside = rest.firstRange(of: "</form>").map { rest[..<$0.lowerBound] } ?? rest
      let isBack = inside.contains(">Back<")
      moves[isBack ? "back" : String(match.2)] = (String(match.1), inputs(of: String(inside)))
    }
    if let match = bar.firstMatch(of: #/form="([^"]+)" name="story_step" value="(\d+)"/#) {
      let name = String(match.1)
      var sent = try #require(form(name, of: page), "no form \(name)")
      sent.body.append("story_step", String(match.2))
      moves["next"] = sent
    }
    return Bar(
      title: text(bar.firstMatch(of: #/<b lang="en" dir="ltr">([^<]*)/#)?.1),
      place: text(bar.firstMatch(of: #/<span class="place">([^<]*)/#)?.1),
      browser: bar.firstMatch(of: #/<span class="browser"[^>]*>([^<]*)/#).map { text($0.1) },
      sentence: bar.firstMatch(of: #/<p class="sentence" lang="en" dir="ltr">([^<]*)/#).map {
        text($0.1)
      },
      moves: moves
    )
  }

  private static func form(
    _ id: String,
    of page: String
  ) -> (target: String, body: FormData)? {
    guard let start = page.firstRange(of: "<form id=\"\(id)\""),
      let end = page[start.upperBound...].firstRange(of: "</form>")
    else { return nil }
    let form = String(page[start.lowerBound..<end.lowerBound])
    return (text(form.firstMatch(of: #/action="([^"]*)"/#)?.1), inputs(of: form))
  }

  private static func inputs(of form: String) -> FormData {
    var body = FormData()
    for input in form.matches(of: #/<input [^>]*>/#) {
      let tag = String(input.0)
      guard let name = tag.firstMatch(of: #/name="([^"]*)"/#)?.1 else { continue }
      if tag.contains(#/type="(?:radio|checkbox)"/#), !tag.contains(" checked") { continue }
      body.append(text(name), text(tag.firstMatch(of: #/value="([^"]*)"/#)?.1))
    }
    return body
  }

  private static func text(_ escaped: Substring?) -> String {
    let names = ["lt": "<", "gt": ">", "quot": "\"", "#34": "\"", "#39": "'"]
    return names.reduce(String(escaped ?? "")) { $0.replacing("&\($1.key);", with: $1.value) }
      .replacing("&amp;", with: "&")
  }
}
