import Foundation
import HTTPExchange
import HTTPTypes
import Vestibule
import VestibuleTesting

/// The whole program in process, with a browser that has opened the sign-in page.
struct Application: Sendable {
  static let shared = Application()

  private static let host = "localhost:8080"
  /// The caller: a trusted proxy.
  private static let peer = "127.0.0.1"
  private let transport: any HTTPTransport
  private let cookies: String
  private let token: String

  private init() {
    var configuration = TestVestibule.Configuration()
    configuration.trustedProxies = [Self.peer].compactMap { IPAddress($0) }
    do {
      let silent = Logger(label: "fuzzing") { _ in SwiftLogNoOpLogHandler() }
      transport = try TestVestibule(configuration, logger: silent).transport
    } catch {
      fail("\(error)")
    }
    let opened = Self.wait { [transport] in
      try? await transport.send(
        Request(method: .get, target: "/sign-in", headerFields: Self.fields(.json))
      )
    }
    guard let opened, let page = try? JSONDecoder().decode(Page.self, from: Data(opened.body)),
      let form = page.forms.first
    else { fail("the sign-in page did not open") }
    cookies = opened.headerFields[values: .setCookie]
      .compactMap { $0.split(separator: ";").first.map(String.init) }.joined(separator: "; ")
    token = form.token
  }

  private struct Page: Decodable {
    struct Form: Decodable { var token: String }
    var forms: [Form]
  }

  private enum Kind: String { case html = "text/html", json = "application/json" }

  private static func fields(_ kind: Kind, _ more: [(HTTPField.Name, String)] = []) -> HTTPFields {
    var fields: HTTPFields = [.host: host, .accept: kind.rawValue]
    for (name, value) in more { fields[name] = value }
    return fields
  }

  /// Waits for work on other threads.
  static func wait<Result: Sendable>(for work: @escaping @Sendable () async -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result?
    Task {
      result = await work()
      done.signal()
    }
    done.wait()
    guard let result else { fail("nothing came of it") }
    return result
  }

  @discardableResult
  private func send(_ request: Request) async -> Response {
    guard let response = try? await transport.send(request) else { fail("no answer") }
    // 501: a form of another kind; 503: a world that cannot be opened.
    if response.status.code >= 500, ![501, 503].contains(response.status.code) {
      fail("\(response.status.code) \(String(decoding: response.body, as: UTF8.self))")
    }
    return response
  }

  func get(_ target: String, _ fields: [(HTTPField.Name, String)]) async {
    await send(
      Request(
        method: .get,
        target: target,
        headerFields: Self.fields(.html, fields),
        peerAddress: Self.peer
      )
    )
  }

  func post(_ bytes: [UInt8]) async {
    await send(posted(Array("form_token=\(token)&".utf8) + bytes))
  }

  private func posted(_ body: [UInt8]) -> Request {
    let fields: [(HTTPField.Name, String)] = [
      (.contentType, "application/x-www-form-urlencoded"), (.cookie, cookies),
    ]
    return Request(
      method: .post,
      target: "/sign-in",
      headerFields: Self.fields(.html, fields),
      body: body
    )
  }

  private func encoded(_ bytes: [UInt8]) -> String {
    bytes.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Types it as an address; the answer must not contain it as markup.
  func type(_ bytes: [UInt8]) async {
    let response = await send(
      posted(Array("form_token=\(token)&password=&identifier=\(encoded(bytes))".utf8))
    )
    let words = String(decoding: bytes, as: UTF8.self)
    guard let sign = words.firstIndex(where: { "<>\"'&".contains($0) }) else { return }
    // Long enough not to be the page's own text. By bytes, since Foundation finds `>` when it looks
    // for `>` and NULs.
    let rest = words[sign...].utf8
    if rest.count >= 12, response.body.contains(rest) {
      fail("a text has become markup: \(words[sign...])")
    }
  }
}
