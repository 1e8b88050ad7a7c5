internal import Emulators

extension Trace {
  /// The id of its visit.
  var visitID: String? { visit.map { "visit_\($0)" } }

  /// The trace as an exported world keeps it.
  var json: JSON { json(calls: calls.map(\.json)) }

  func json(calls: [JSON]) -> JSON {
    [
      "id": .string(id),
      "started_at": .string(Timestamp.text(startedAt)),
      "page": page.map { ["method": .string($0.method), "path": .string($0.path)] } ?? .null,
      "milliseconds": duration.milliseconds,
      "calls": .array(calls),
      "visit": .optional(visitID),
      "answer": answer?.json ?? .null,
    ]
  }
}

extension PageAnswer {
  fileprivate var json: JSON {
    [
      "query": .parameters(query),
      "form": .parameters(form),
      "status": .integer(Int64(status)),
      "page": .optional(page),
      "location": .optional(location),
      "messages": .array(messages.map(\.json)),
      "notices": .array(notices.map(JSON.string)),
      "dropped_return_address": .optional(droppedReturnAddress),
      "bytes": .integer(Int64(byteCount)),
      "milliseconds": duration.milliseconds,
    ]
  }
}

extension PageAnswer.Message {
  fileprivate var json: JSON {
    ["code": .string(code), "field": .optional(field), "detail": detail]
  }
}

extension TracedCall {
  var json: JSON {
    [
      "method": .string(method),
      "path": .string(target),
      "form": .parameters(form),
      "status": status == 0 ? .null : .integer(Int64(status)),
      "milliseconds": duration.milliseconds,
      "errors": .array(errorCodes.map { .string($0) }),
      "reference": .optional(reference),
      "fault": .optional(faultID),
      "curl": .string(curl),
      "address": .string(address),
      "started_at": .string(Timestamp.text(startedAt)),
      "headers": .parameters(headerFields),
      "content": content ?? .null,
      "fault_effect": .optional(faultEffect),
      "answer": [
        "headers": .parameters(answerFields),
        "json": answer ?? .null,
        "bytes": .integer(Int64(answerByteCount)),
      ],
    ]
  }
}

extension JSON {
  /// Names with their values.
  static func parameters(_ parameters: [TracedCall.Parameter]) -> JSON {
    .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] })
  }
}

extension Duration {
  /// Milliseconds, rounded to tenths.
  var inMilliseconds: Double { ((self / .milliseconds(1)) * 10).rounded() / 10 }

  fileprivate var milliseconds: JSON { .number(inMilliseconds) }
}
