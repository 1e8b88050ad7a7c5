internal import Emulators
internal import HTTPExchange

extension BackstageDesk {
  func traces() -> Response { .json(.array(world.traces.all.map(\.json))) }

  func deleteTraces() -> Response {
    world.traces.removeAll()
    return .noContent
  }
}

extension Trace {
  var json: JSON {
    [
      "id": .string(id),
      "started_at": .string(Timestamp.text(startedAt)),
      "page": page.map { ["method": .string($0.method), "path": .string($0.path)] } ?? .null,
      "milliseconds": duration.milliseconds,
      "calls": .array(calls.map(\.json)),
    ]
  }
}

extension TracedCall {
  fileprivate var json: JSON {
    [
      "method": .string(method),
      "path": .string(target),
      "form": .array(form.map { ["name": .string($0.name), "value": .string($0.value)] }),
      "status": status == 0 ? .null : .integer(Int64(status)),
      "milliseconds": duration.milliseconds,
      "errors": .array(errorCodes.map { .string($0) }),
      "reference": reference.map { .string($0) } ?? .null,
      "fault": faultID.map { .string($0) } ?? .null,
      "curl": .string(curl),
    ]
  }
}

extension Duration {
  /// Rounded to tenths.
  fileprivate var milliseconds: JSON {
    .number(((self / .milliseconds(1)) * 10).rounded() / 10)
  }
}
