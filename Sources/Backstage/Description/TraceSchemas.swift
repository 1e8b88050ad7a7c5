internal import Emulators

/// The schemas of traces and of the archives made from them.
enum TraceSchemas {
  private static let pairs = Schema.list(of: .object(["name": .text, "value": .text]))

  static let trace = Schema.object([
    "id": .text(matching: "^trace_[0-9]+$"), "started_at": .time,
    "page": .object(["method": .text, "path": .text]).orNull, "milliseconds": .number,
    "calls": .list(of: .the(.tracedCall)), "visit": .text(matching: "^visit_[0-9]+$").orNull,
    "answer": answer.orNull,
  ])

  private static let answer = Schema.object([
    "query": pairs, "form": pairs, "status": .integer, "page": .text.orNull,
    "location": .text.orNull,
    "messages": .list(
      of: .object(["code": .text, "field": .text.orNull, "detail": .anything])
    ),
    "notices": .texts, "dropped_return_address": .text.orNull, "bytes": .count,
    "milliseconds": .number,
  ])

  /// Problems and snippets are added when traces are listed; exported worlds do not have them.
  static let call = Schema.object(
    [
      "method": .text, "path": .text, "form": pairs, "status": .integer.orNull,
      "milliseconds": .number, "errors": .texts, "reference": .text.orNull, "fault": .text.orNull,
      "curl": .text, "address": .text, "started_at": .time, "headers": pairs,
      "content": .anything, "fault_effect": .text.orNull,
      "answer": .object(["headers": pairs, "json": .anything, "bytes": .count]),
    ],
    optional: [
      "problems": .list(
        of: .object(
          [
            "kind": .choice(["api", "client"]),
            "shown": .object(["trace": .text, "page": .text, "field": .text.orNull]).orNull,
          ],
          isOpen: true
        )
      ),
      "snippets": .object(["curl": .text, "swift": .text, "typescript": .text]),
    ]
  )

  /// Source: HTTP Archive 1.2, <http://www.softwareishard.com/blog/har-12-spec/>.
  static let archive = Schema.object([
    "log": .object([
      "version": .constant("1.2"), "creator": .object(["name": .text, "version": .text]),
      "pages": .list(
        of: .object([
          "startedDateTime": .time, "id": .text, "title": .text,
          "pageTimings": .object(["onContentLoad": .integer, "onLoad": .integer]),
        ])
      ),
      "entries": .list(of: entry),
    ])
  ])

  private static let entry = Schema.object(
    [
      "startedDateTime": .time, "time": .number, "request": request, "response": response,
      "cache": .object([:]),
      "timings": .object(["send": .number, "wait": .number, "receive": .number]),
    ],
    optional: ["pageref": .text, "comment": .text]
  )

  private static let request = Schema.object(
    [
      "method": .text, "url": .text, "httpVersion": .text, "cookies": pairs, "headers": pairs,
      "queryString": pairs, "headersSize": .integer, "bodySize": .integer,
    ],
    // HAR has a form's fields or a text, not both.
    optional: [
      "postData": .oneOf([
        .object(["mimeType": .text, "params": pairs]), .object(["mimeType": .text, "text": .text]),
      ])
    ]
  )

  private static let response = Schema.object([
    "status": .integer, "statusText": .text, "httpVersion": .text, "cookies": pairs,
    "headers": pairs,
    "content": .object(["size": .count, "mimeType": .text], optional: ["text": .text]),
    "redirectURL": .text, "headersSize": .integer, "bodySize": .integer,
  ])
}
