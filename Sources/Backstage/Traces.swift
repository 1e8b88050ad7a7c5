internal import Emulators
internal import HTTPExchange

extension BackstageContext {
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

extension Trace {
  /// Reads a trace as it was shown; nil for what is none.
  init?(_ json: JSON) {
    guard let number = json["id"]?.string.flatMap(Self.number), let calls = json["calls"]?.array,
      let startedAt = json["started_at"]?.string.flatMap(Timestamp.date),
      WorldClock.dates.contains(startedAt)
    else { return nil }
    let read = calls.compactMap(TracedCall.init)
    guard read.count == calls.count else { return nil }
    let page = json["page"].flatMap { page in
      page["method"]?.string.flatMap { method in
        page["path"]?.string.map { PageRequest(method: method, path: $0) }
      }
    }
    self.init(number: number, startedAt: startedAt, page: page, calls: read)
  }

  /// The number in `trace_7`; nil where no trace is called so.
  private static func number(in id: String) -> Int? {
    guard id.hasPrefix("trace_"), let number = Int(id.dropFirst("trace_".count)),
      Trace.numbers.contains(number)
    else { return nil }
    return number
  }
}

extension TracedCall {
  fileprivate init?(_ json: JSON) {
    guard let method = json["method"]?.string, let target = json["path"]?.string,
      let duration = json["milliseconds"]?.milliseconds, let curl = json["curl"]?.string
    else { return nil }
    let form = (json["form"]?.array ?? []).compactMap { field in
      field["name"]?.string.flatMap { name in
        field["value"]?.string.map { Parameter(name: name, value: $0) }
      }
    }
    self.init(
      method: method,
      target: target,
      form: form,
      status: json["status"]?.integer.map { Int(clamping: $0) } ?? 0,
      duration: duration,
      errorCodes: (json["errors"]?.array ?? []).compactMap(\.string),
      reference: json["reference"]?.string,
      faultID: json["fault"]?.string,
      curl: curl
    )
  }
}

extension JSON {
  /// So many milliseconds, of which none are negative or without end.
  fileprivate var milliseconds: Duration? {
    switch self {
    case .integer(let number) where (0...86_400_000).contains(number): .milliseconds(number)
    case .number(let number) where (0...86_400_000).contains(number): .milliseconds(number)
    case .null, .bool, .integer, .number, .string, .array, .object: nil
    }
  }
}

extension TracedCall {
  var json: JSON {
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
