internal import Emulators
internal import Foundation

extension Trace {
  /// Reads a trace as a response showed it; nil if it is malformed.
  init?(_ json: JSON) {
    guard let number = json["id"]?.string.flatMap({ Self.number(in: $0, after: "trace_") }),
      let calls = json["calls"]?.array,
      let startedAt = json["started_at"]?.string.flatMap(Timestamp.date),
      WorldClock.dates.contains(startedAt)
    else { return nil }
    let read = calls.compactMap { TracedCall($0, since: startedAt) }
    guard read.count == calls.count else { return nil }
    let page = json["page"].flatMap { page in
      page["method"]?.string.flatMap { method in
        page["path"]?.string.map { PageRequest(method: method, path: $0) }
      }
    }
    self.init(
      number: number,
      startedAt: startedAt,
      page: page,
      visit: json["visit"]?.string.flatMap { Self.number(in: $0, after: "visit_") },
      answer: page == nil ? nil : json["answer"].flatMap(PageAnswer.init),
      calls: read
    )
  }

  /// The number of the visit with that id, spelt as traces spell it; nil if it is malformed.
  static func visit(ofID id: String) -> Int? {
    number(in: id, after: "visit_").flatMap { "visit_\($0)" == id ? $0 : nil }
  }

  /// The number in an id such as `trace_7`; nil if the id is malformed.
  private static func number(in id: String, after prefix: String) -> Int? {
    guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)),
      Trace.numbers.contains(number)
    else { return nil }
    return number
  }
}

extension PageAnswer {
  /// Reads an answer; nil if it is malformed.
  fileprivate init?(_ json: JSON) {
    guard let status = json["status"]?.count, let duration = json["milliseconds"]?.milliseconds,
      let byteCount = json["bytes"]?.count
    else { return nil }
    self.init(
      query: json["query"]?.parameters ?? [],
      form: json["form"]?.parameters ?? [],
      status: status,
      page: json["page"]?.string,
      location: json["location"]?.string,
      messages: (json["messages"]?.array ?? []).compactMap { message in
        message["code"]?.string.map {
          Message(code: $0, field: message["field"]?.string, detail: message["detail"] ?? .null)
        }
      },
      notices: (json["notices"]?.array ?? []).compactMap(\.string),
      droppedReturnAddress: json["dropped_return_address"]?.string,
      byteCount: byteCount,
      duration: duration
    )
  }
}

extension TracedCall {
  /// Reads a call; nil if it is malformed.
  ///
  /// - Parameters:
  ///   - json: The call as a response showed it.
  ///   - begin: When it was made, if it does not say so itself.
  fileprivate init?(_ json: JSON, since begin: Date) {
    guard let method = json["method"]?.string, let target = json["path"]?.string,
      let duration = json["milliseconds"]?.milliseconds
    else { return nil }
    let startedAt = json["started_at"]?.string.flatMap(Timestamp.date) ?? begin
    guard WorldClock.dates.contains(startedAt) else { return nil }
    let answer = json["answer"]
    self.init(
      method: method,
      target: target,
      address: json["address"]?.string ?? "",
      startedAt: startedAt,
      headerFields: json["headers"]?.parameters ?? [],
      form: json["form"]?.parameters ?? [],
      content: json["content"]?.value,
      status: json["status"]?.count ?? 0,
      duration: duration,
      errorCodes: (json["errors"]?.array ?? []).compactMap(\.string),
      reference: json["reference"]?.string,
      faultID: json["fault"]?.string,
      faultEffect: json["fault_effect"]?.string,
      answerFields: answer?["headers"]?.parameters ?? [],
      answer: answer?["json"]?.value,
      answerByteCount: answer?["bytes"]?.count ?? 0
    )
  }
}

extension JSON {
  /// A number of milliseconds, from 0 to one day.
  fileprivate var milliseconds: Duration? {
    switch self {
    case .integer(let number) where (0...86_400_000).contains(number): .milliseconds(number)
    case .number(let number) where (0...86_400_000).contains(number): .milliseconds(number)
    case .null, .bool, .integer, .number, .string, .array, .object: nil
    }
  }

  /// A status, or a number of bytes, up to 10⁹.
  fileprivate var count: Int? {
    integer.flatMap { (0...1_000_000_000).contains($0) ? Int($0) : nil }
  }

  fileprivate var parameters: [TracedCall.Parameter] {
    (array ?? []).compactMap { field in
      field["name"]?.string.flatMap { name in
        field["value"]?.string.map { .init(name: name, value: $0) }
      }
    }
  }

  /// Nil for null.
  fileprivate var value: JSON? { self == .null ? JSON?.none : self }
}
