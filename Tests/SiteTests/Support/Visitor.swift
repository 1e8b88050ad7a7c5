import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

/// A browser in front of the site: keeps cookies, and sends forms with tokens of its own visit.
final class Visitor: Sendable {
  let test: TestSite
  private let world: String?
  private let jar = Locked<[String: String]>([:])

  init(site: TestSite, world: String?) {
    test = site
    self.world = world
  }

  /// A token of a page that is still open in another tab.
  var kept: String { tab.withLock(\.self) }
  private let tab = Locked("")

  func keep(_ token: String) { tab.withLock { $0 = token } }

  var cookies: [String: String] {
    get { jar.withLock(\.self) }
    set { jar.withLock { $0 = newValue } }
  }

  /// The visit that its cookies hold.
  var visit: Visit? {
    let opened = test.site.visits.open(
      from: Request(method: .get, target: "/", headerFields: fields()),
      world: .main,
      machineNow: test.machine.wallClock.now,
      worldNow: test.clock.wallClock.now
    )
    guard case .live(let visit) = opened else { return nil }
    return visit
  }

  /// Takes the cookies of a visit.
  func take(_ visit: Visit) throws {
    let cookies = try #require(
      test.site.visits.cookies(
        keeping: visit,
        insteadOfThoseIn: Request(method: .get, target: "/"),
        machineNow: test.machine.wallClock.now,
        worldNow: test.clock.wallClock.now
      )
    )
    for cookie in cookies { jar.withLock { $0[cookie.name] = cookie.value } }
  }

  /// A token as a page of this visit would have it.
  func token(for path: String) -> String {
    guard let visit else { return "none" }
    let nonce = UUID().uuidString.utf8.prefix(9)
    guard let address = Address(path: path) else { return "none" }
    return test.site.gate.tokens.token(
      for: address,
      ofVisit: visit.id,
      at: visit.attemptNumbers,
      nonce: Array(nonce)
    )
  }

  func open(_ target: String, _ extra: HTTPFields = [:]) async -> Page {
    await send(Request(method: .get, target: target, headerFields: fields(extra)))
  }

  /// Posts a form of this visit, with the given token in place of a genuine one.
  func post(
    _ path: String,
    _ values: [String: String] = [:],
    token: String? = nil,
    _ extra: HTTPFields = [:]
  ) async -> Page {
    await send(form(path, values, token: token, extra))
  }

  /// Posts a body as it is.
  func post(_ path: String, body: String, _ extra: HTTPFields = [:]) async -> Page {
    await send(posting(Array(body.utf8), to: path, extra))
  }

  /// A form as it would be posted.
  func form(
    _ path: String,
    _ values: [String: String] = [:],
    token: String? = nil,
    _ extra: HTTPFields = [:]
  ) -> Request {
    var form: FormData = ["form_token": token ?? self.token(for: path)]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { form.append(name, value) }
    return posting(form.encoded, to: path, extra)
  }

  private func posting(_ body: [UInt8], to path: String, _ extra: HTTPFields) -> Request {
    var own: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    // Each cookie is a field of its own.
    for field in extra { own[values: field.name] = extra[values: field.name] }
    return Request(
      method: .post,
      target: path,
      headerFields: fields(own),
      body: body,
      peerAddress: "127.0.0.1"
    )
  }

  func send(_ request: Request) async -> Page {
    receive(await test.site.respond(to: request))
  }

  /// Keeps the cookies of an answer.
  func receive(_ response: Response) -> Page {
    jar.withLock { jar in
      for header in response.headerFields[values: .setCookie] {
        let parts = header.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        jar[String(pair[0])] = parts.contains("Max-Age=0") ? nil : String(pair[1])
      }
    }
    return Page(response: response)
  }

  func fields(_ extra: HTTPFields = [:]) -> HTTPFields {
    var fields: HTTPFields = [.host: TestSite.host, .accept: "application/json"]
    let cookies = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    if !cookies.isEmpty { fields[.cookie] = cookies.joined(separator: "; ") }
    fields[.vestibuleWorld] = world
    for field in extra { fields[values: field.name] = extra[values: field.name] }
    return fields
  }

  /// What came back.
  struct Page: Sendable {
    var response: Response

    var status: Int { response.status.code }
    var location: String? { response.headerFields[.location] }
    var body: String { String(decoding: response.body, as: UTF8.self) }

    func header(_ name: String) -> String? {
      HTTPField.Name(name).flatMap { response.headerFields[$0] }
    }

    /// The JSON twin.
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any] ?? [:]
    }

    var name: String? { json["page"] as? String }
    var errorCodes: [String] { codes("errors") }
    var noticeCodes: [String] { codes("notices") }

    private func codes(_ key: String) -> [String] {
      (json[key] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    /// The codes at a field of the main form.
    func errorCodes(at field: String) -> [String] {
      self.field(field).flatMap { $0["errors"] as? [[String: Any]] }?
        .compactMap { $0["code"] as? String } ?? []
    }

    /// The general codes, and those at every field of every form.
    var allErrorCodes: [String] {
      let fields = (json["forms"] as? [[String: Any]] ?? []).flatMap {
        $0["fields"] as? [[String: Any]] ?? []
      }
      let errors = fields.flatMap { $0["errors"] as? [[String: Any]] ?? [] }
      return errorCodes + errors.compactMap { $0["code"] as? String }
    }

    func value(of field: String) -> String? { self.field(field)?["value"] as? String }

    func isChecked(_ field: String) -> Bool? { self.field(field)?["checked"] as? Bool }

    private func field(_ name: String) -> [String: Any]? {
      let forms = json["forms"] as? [[String: Any]] ?? []
      return forms.compactMap { $0["fields"] as? [[String: Any]] }.joined()
        .first { $0["name"] as? String == name }
    }
  }
}
