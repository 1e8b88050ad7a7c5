internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

extension Fault {
  /// The accepted values of a fault.
  enum Limits {
    /// The number of calls that it applies to.
    static let times = 1...1_000_000
    /// The number of calls that it has applied to.
    static let applied = 0...1_000_000_000
    /// How long it lasts, in seconds.
    static let seconds = 1...86_400
    /// How long it holds a call, in milliseconds.
    static let delays = 0...Fault.longestDelayMilliseconds
    /// The status of its response.
    static let statuses = 200...599
    /// The length of a group's name, in bytes.
    static let groupLengths = 1...40
  }
}

extension BackstageContext {
  func faults() -> Response { .json(.array(world.faults.all.map(\.json))) }

  func addFault(_ call: BackstageCall) throws(BackstageRefusal) -> Response {
    var fault = try fault(in: call.requiredBody())
    // One that was shown is sent again: it begins anew.
    fault.applied = 0
    // Within a segment, a star would be a literal one, which nobody means.
    let segments = fault.match.path?.split(separator: "/") ?? []
    guard segments.allSatisfy({ $0 == "*" || !$0.contains("*") }) else {
      throw .invalid(
        "'match.path' may have '*' only as a whole segment.",
        at: "match.path",
        "* is expected only as a whole segment"
      )
    }
    // This is not checked when reading faults, so that a world that was exported long ago can still
    // be imported.
    if let mismatch = fault.match.mismatch(with: worlds.api) {
      throw mismatch.refusal(on: worlds.api)
    }
    // Nor is this: the world's clock may have moved on since the export.
    if let endsAt = fault.endsAt, endsAt <= world.clock.now {
      throw .invalid("'ends_at' must be later than the world's time.")
    }
    guard let added = world.faults.add(fault) else {
      throw .invalid("There are \(Faults.limit) faults already.")
    }
    return .json(added.json)
  }

  /// Reads a fault, as a caller sends it or as a response showed it.
  func fault(in body: JSON) throws(BackstageRefusal) -> Fault {
    try body.refuseKeys(besides: [
      "id", "match", "times", "applied", "seconds", "ends_at", "delay_ms", "answer", "fault",
      "group",
    ])
    var fault = Fault(
      match: try match(in: body["match"]),
      timesLeft: try body.number("times", in: Fault.Limits.times),
      endsAt: try end(in: body),
      delayMilliseconds: try body.number("delay_ms", in: Fault.Limits.delays) ?? 0,
      effect: try effect(in: body),
      group: try group(in: body)
    )
    fault.applied = try body.number("applied", in: Fault.Limits.applied) ?? 0
    guard fault.delayMilliseconds > 0 || fault.effect != .none else {
      throw .invalid("Send 'answer', 'fault' or 'delay_ms'.")
    }
    return fault
  }

  func deleteFaults() -> Response {
    world.faults.removeAll()
    return .noContent
  }

  func deleteFault(_ id: String) throws(BackstageRefusal) -> Response {
    guard world.faults.remove(id) else { throw .missing("fault", id) }
    return .noContent
  }

  private func group(in body: JSON) throws(BackstageRefusal) -> String? {
    guard let name = try body.text("group") else { return nil }
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
    guard Fault.Limits.groupLengths.contains(name.utf8.count),
      name.utf8.allSatisfy(letters.contains)
    else { throw .invalid("'group' must be 1 to 40 of the letters a to z, digits and hyphens.") }
    return name
  }

  /// When it ends: a number of seconds from now, or a time, both by the world's clock.
  private func end(in body: JSON) throws(BackstageRefusal) -> Date? {
    let seconds = try body.number("seconds", in: Fault.Limits.seconds)
    guard let text = try body.text("ends_at") else {
      return seconds.map { world.clock.now.addingTimeInterval(Double($0)) }
    }
    guard seconds == nil else { throw .invalid("Send 'seconds' or 'ends_at', not both.") }
    guard let date = Timestamp.date(text) else {
      throw .invalid("'ends_at' must be a time like 2026-11-21T14:35:00Z.")
    }
    return date
  }

  private func match(in json: JSON?) throws(BackstageRefusal) -> FaultMatch {
    guard let json, json != .null else { return FaultMatch() }
    try json.refuseKeys(besides: ["method", "path"], in: "match.")
    var match = FaultMatch()
    if let text = try json.text("method", in: "match.") {
      let known = FaultMatch.methods
      guard let method = known.first(where: { $0.rawValue == text.uppercased() }) else {
        let names = known.map(\.rawValue).joined(separator: ", ")
        throw .invalid(
          "'match.method' must be one of \(names), or null for any.",
          at: "match.method",
          "one of \(names) is expected, or nothing for any"
        )
      }
      match.method = method
    }
    if let path = try json.text("path", in: "match.") {
      guard path.hasPrefix("/") else {
        throw .invalid(
          "'match.path' must begin with '/'.",
          at: "match.path",
          "a path that begins with / is expected"
        )
      }
      if let query = path.firstIndex(of: "?") {
        // A path copied from a trace has one.
        let shown = path[query...].prefix(100)
        throw .invalid(
          "'match.path' must have no query: leave out '\(shown)'.",
          at: "match.path",
          "a path without a query is expected: leave out '\(shown)'"
        )
      }
      match.path = path
    }
    return match
  }

  private func effect(in body: JSON) throws(BackstageRefusal) -> Fault.Effect {
    let answer = body["answer"].flatMap { $0 == .null ? nil : $0 }
    guard let name = try body.text("fault") else {
      return try answer.map { json throws(BackstageRefusal) in .answer(try response(in: json)) }
        ?? .none
    }
    guard answer == nil else { throw .invalid("Send 'answer' or 'fault', not both.") }
    guard let failure = Fault.Failure(rawValue: name) else {
      let known = Fault.Failure.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid("'fault' must be one of \(known).")
    }
    return .failure(failure)
  }

  private func response(in json: JSON) throws(BackstageRefusal) -> Response {
    try json.refuseKeys(besides: ["status", "headers", "json"], in: "answer.")
    let status = try json.number("status", in: Fault.Limits.statuses, prefix: "answer.") ?? 200
    var response = Response(
      status: .init(code: status),
      headerFields: [.cacheControl: Fault.cacheRule]
    )
    if let body = json["json"] {
      response.headerFields[.contentType] = "application/json"
      response.body = body.encoded
    }
    switch json["headers"] {
    case nil, .null: break
    case .object(let members):
      for member in members {
        guard let name = HTTPField.Name(member.name), let value = member.value.headerValue else {
          throw .invalid("'answer.headers.\(member.name)' is not a header field.")
        }
        response.headerFields[name] = value
      }
    case .some: throw .invalid("'answer.headers' must be an object.")
    }
    return response
  }
}

extension FaultMatch.Mismatch {
  /// The refusal of such a match.
  fileprivate func refusal(on api: EmulatedAPI) -> BackstageRefusal {
    switch self {
    case .path(nearest: .some(let nearest)):
      return .invalid(
        "No call of this API has this 'match.path': did you mean '\(nearest)'?",
        at: "match.path",
        "no call of this API has it: did you mean '\(nearest)'?"
      )
    case .path(nearest: .none):
      let example =
        switch api {
        case .clerk: "/v1/client/sign_ins"
        case .entra: "/*/oauth2/v2.0/token"
        }
      return .invalid(
        "No call of this API has this 'match.path'; one has '\(example)'.",
        at: "match.path",
        "no call of this API has it; one has '\(example)'"
      )
    case .method(let known):
      let names = known.map(\.rawValue).joined(separator: " or ")
      return .invalid(
        "'match.method' must be \(names) for such calls, or null for any.",
        at: "match.method",
        "\(names) is expected for such calls, or nothing for any"
      )
    }
  }
}

extension Fault {
  /// The `Cache-Control` of a response that does not set its own.
  fileprivate static let cacheRule = "no-store"

  var json: JSON {
    var json: JSON = [
      "id": .string(id),
      "match": [
        "method": .optional(match.method?.rawValue),
        "path": .optional(match.path),
      ],
      "times": timesLeft.map { .integer(Int64($0)) } ?? .null,
      "applied": .integer(Int64(applied)),
      "delay_ms": .integer(Int64(delayMilliseconds)),
    ]
    if let endsAt { json["ends_at"] = .string(Timestamp.text(endsAt)) }
    if let group { json["group"] = .string(group) }
    switch effect {
    case .none: break
    case .failure(let failure): json["fault"] = .string(failure.rawValue)
    case .answer(let response):
      let fields = response.headerFields.filter {
        $0.name != .cacheControl || $0.value != Self.cacheRule
      }
      json["answer"] = [
        "status": .integer(Int64(response.status.code)),
        "headers": .object(fields.map { .init($0.name.rawName, .string($0.value)) }),
      ]
      if let body = JSON(decoding: response.body) { json["answer"]?["json"] = body }
    }
    return json
  }
}

extension JSON {
  /// - Throws: A refusal if this is not an object, or has another key.
  func refuseKeys(besides known: Set<String>, in prefix: String = "") throws(BackstageRefusal) {
    guard case .object(let members) = self else {
      throw .invalid(
        prefix.isEmpty ? "A JSON object is expected." : "'\(prefix.dropLast())' must be an object."
      )
    }
    guard let name = members.map(\.name).first(where: { !known.contains($0) }) else { return }
    throw .invalid("There is no key '\(prefix)\(name)'.")
  }

  func text(_ name: String, in prefix: String = "") throws(BackstageRefusal) -> String? {
    switch self[name] {
    case nil, .null: return nil
    case .string(let text): return text
    case .some: throw .invalid("'\(prefix)\(name)' must be a text.")
    }
  }

  func number(
    _ name: String,
    in range: ClosedRange<Int>,
    prefix: String = ""
  ) throws(BackstageRefusal) -> Int? {
    switch self[name] {
    case nil, .null: return nil
    case .integer(let number) where range.contains(Int(number)): return Int(number)
    case .some:
      throw .invalid(
        "'\(prefix)\(name)' must be \(range.lowerBound) to \(range.upperBound).",
        at: "\(prefix)\(name)",
        "a whole number from \(range.lowerBound) to \(range.upperBound) is expected"
      )
    }
  }

  /// The value of a header field: a text without control characters, or a number.
  fileprivate var headerValue: String? {
    switch self {
    case .string(let text):
      text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
    case .integer(let number): String(number)
    case .null, .bool, .number, .array, .object: nil
    }
  }
}
