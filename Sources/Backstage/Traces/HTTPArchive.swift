internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// The requests to the pages of a visit and their calls to the API, in the format of browsers and
/// proxies.
///
/// It has no secrets, because it is made from masked traces. The bodies of pages are left out.
/// Source: HTTP Archive 1.2, <http://www.softwareishard.com/blog/har-12-spec/>.
struct HTTPArchive {
  static let ending = ".har"
  static let everything = "all"

  private let traces: [Trace]
  private let origin: String

  /// - Parameters:
  ///   - name: The file's name, such as `visit_3.har` or `all.har`.
  ///   - traces: The traces, newest first.
  ///   - origin: The origin of the pages.
  init?(named name: String, of traces: [Trace], origin: String) {
    guard name.hasSuffix(Self.ending) else { return nil }
    let id = String(name.dropLast(Self.ending.count))
    let chosen = id == Self.everything ? traces : traces.filter { $0.visitID == id }
    guard id == Self.everything || !chosen.isEmpty else { return nil }
    self.traces = chosen.reversed()
    self.origin = origin
  }

  var json: JSON {
    [
      "log": [
        "version": "1.2",
        "creator": ["name": "Vestibule", "version": "1"],
        "pages": .array(traces.filter { $0.page != nil }.map(page)),
        "entries": .array(traces.flatMap(entries)),
      ]
    ]
  }

  private func page(_ trace: Trace) -> JSON {
    let title = trace.page.map { "\($0.method) \($0.path)" } ?? ""
    return [
      "startedDateTime": .string(Timestamp.text(trace.startedAt)),
      "id": .string(trace.id),
      "title": .string(title),
      "pageTimings": ["onContentLoad": -1, "onLoad": -1],
    ]
  }

  private func entries(_ trace: Trace) -> [JSON] {
    let calls = trace.calls.map { $0.entry(of: trace) }
    guard let page = trace.page, let answer = trace.answer else { return calls }
    let query = FormData(answer.query.map { .init(name: $0.name, value: $0.value) })
    let entry: JSON = .entry(
      page: trace.id,
      at: trace.startedAt,
      answer.duration,
      request: .request(
        page.method,
        query.address(at: origin + page.path),
        headerFields: [],
        form: page.method == "POST" ? answer.form : nil
      ),
      response: .response(
        answer.status,
        headerFields: answer.location.map { [.init(name: "Location", value: $0)] } ?? [],
        content: [
          "size": .integer(Int64(answer.byteCount)),
          "mimeType": answer.page == nil ? "text/plain" : "text/html",
        ],
        location: answer.location
      )
    )
    return [entry] + calls
  }
}

extension TracedCall {
  fileprivate func entry(of trace: Trace) -> JSON {
    var content: JSON = [
      "size": .integer(Int64(answerByteCount)),
      "mimeType": .string(value(of: "content-type") ?? ""),
    ]
    if let answer { content["text"] = .string(answer.indented()) }
    var entry: JSON = .entry(
      page: trace.page == nil ? nil : trace.id,
      at: startedAt,
      duration,
      request: .request(
        method,
        address + target,
        headerFields: headerFields,
        form: form.isEmpty ? nil : form,
        json: self.content
      ),
      response: .response(
        status,
        headerFields: answerFields,
        content: content,
        location: value(of: "location")
      )
    )
    if let faultID { entry["comment"] = .string("\(faultID): \(faultEffect ?? "")") }
    return entry
  }

  private func value(of name: String) -> String? {
    answerFields.first { $0.name.lowercased() == name }?.value
  }
}

extension JSON {
  fileprivate static func entry(
    page: String?,
    at date: Date,
    _ duration: Duration,
    request: JSON,
    response: JSON
  ) -> JSON {
    let time = JSON.number(duration.inMilliseconds)
    var entry: JSON = [
      "startedDateTime": .string(Timestamp.text(date)),
      "time": time,
      "request": request,
      "response": response,
      "cache": .object([]),
      "timings": ["send": 0, "wait": time, "receive": 0],
    ]
    if let page { entry["pageref"] = .string(page) }
    return entry
  }

  fileprivate static func request(
    _ method: String,
    _ url: String,
    headerFields: [TracedCall.Parameter],
    form: [TracedCall.Parameter]?,
    json: JSON? = nil
  ) -> JSON {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let parameters = (try? FormData(decoding: query.utf8))?.fields ?? []
    var request: JSON = [
      "method": .string(method),
      "url": .string(url),
      "httpVersion": "HTTP/1.1",
      "cookies": [],
      "headers": .parameters(headerFields),
      "queryString": .parameters(parameters.map { .init(name: $0.name, value: $0.value) }),
      "headersSize": -1,
      "bodySize": -1,
    ]
    if let form {
      request["postData"] = [
        "mimeType": "application/x-www-form-urlencoded", "params": .parameters(form),
      ]
    } else if let json {
      request["postData"] = [
        "mimeType": "application/json", "text": .string(json.indented()),
      ]
    }
    return request
  }

  fileprivate static func response(
    _ status: Int,
    headerFields: [TracedCall.Parameter],
    content: JSON,
    location: String?
  ) -> JSON {
    [
      "status": .integer(Int64(status)),
      "statusText": .string(status == 0 ? "" : HTTPResponse.Status(code: status).reasonPhrase),
      "httpVersion": "HTTP/1.1",
      "cookies": [],
      "headers": .parameters(headerFields),
      "content": content,
      "redirectURL": .string(location ?? ""),
      "headersSize": -1,
      "bodySize": content["size"] ?? -1,
    ]
  }
}
