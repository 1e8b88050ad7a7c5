import Backstage
import Emulators
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

extension FormData {
  /// The form with other values typed into its fields.
  func typing(_ others: FormData) -> FormData { FormData(fields + others.fields) }
}

/// A browser in front of the workbench.
struct WorkbenchClient: Sendable {
  /// The secret that the tests' workbenches use.
  static let secret: [UInt8] = Array(0..<32)

  let pages: BackstagePages

  /// - Parameter pages: The workbench; made with ``secret`` if forms are sent to it.
  init(_ pages: BackstagePages) { self.pages = pages }

  /// The workbench over those worlds, and nothing besides.
  init(over worlds: Worlds) throws {
    pages = try BackstagePages(worlds: worlds, renderer: .project(), secret: Self.secret)
  }

  /// What came back.
  struct Page: Sendable {
    var response: Response

    var status: Int { response.status.code }
    var fields: HTTPFields { response.headerFields }
    var location: String? { fields[.location] }
    var html: String { String(decoding: response.body, as: UTF8.self) }

    /// What a browser sends of the form with that id if nobody touches it, except its token.
    func form(_ id: String) throws -> FormData {
      let start = try #require(html.firstRange(of: "<form id=\"\(id)\""))
      let rest = html[start.upperBound...]
      let end = try #require(rest.firstRange(of: "</form>"))
      var form = FormData()
      for match in rest[..<end.lowerBound].matches(of: #/<(input|select|option)[^>]*>/#) {
        let tag = match.output.0
        let value = Self.unescaped(tag.firstMatch(of: #/ value="([^"]*)"/#)?.output.1 ?? "")
        if match.output.1 == "option" {
          // A select has its first option until another one is selected.
          guard tag.contains(" selected"), let select = form.fields.indices.last else { continue }
          form.fields[select].value = value
        } else {
          let isOff = tag.contains(" type=\"checkbox\"") && !tag.contains(" checked")
          guard !isOff, let name = tag.firstMatch(of: #/ name="([^"]*)"/#)?.output.1,
            name != "form_token"
          else { continue }
          form.append(String(name), value)
        }
      }
      return form
    }

    private static func unescaped(_ text: Substring) -> String {
      String(text).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    /// The cookie that it sets, as it is sent back.
    var cookie: String? { fields[values: .setCookie].last.map { String($0.prefix { $0 != ";" }) } }
  }

  /// Asks for a page by its path and query below `/backstage`.
  func open(
    _ page: String,
    method: HTTPRequest.Method = .get,
    host: String = "localhost:8080",
    cookie: String? = nil,
    _ extra: HTTPFields = [:]
  ) async -> Page {
    await ask(Request(method, Self.target(page), headerFields: Self.fields(host, cookie, extra)))
  }

  /// Sends a form of a page, with the token that all of them carry unless another is named.
  func send(
    _ page: String,
    _ form: FormData,
    token: String = BackstagePages.token(of: Self.secret),
    host: String = "localhost:8080",
    cookie: String? = nil,
    _ extra: HTTPFields = [:]
  ) async -> Page {
    var form = form
    form.append("form_token", token)
    let fields = Self.fields(host, cookie, extra)
    return await ask(Request(.post, Self.target(page), form: form, headerFields: fields))
  }

  private func ask(_ request: Request) async -> Page {
    Page(response: await pages.respond(to: request))
  }

  private static func target(_ page: String) -> String {
    page.isEmpty ? "/backstage" : "/backstage/\(page)"
  }

  private static func fields(_ host: String, _ cookie: String?, _ extra: HTTPFields) -> HTTPFields {
    var fields: HTTPFields = [.host: host]
    fields[.cookie] = cookie
    for field in extra { fields[field.name] = field.value }
    return fields
  }
}
