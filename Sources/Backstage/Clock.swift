internal import Emulators
internal import Foundation
internal import HTTPExchange

extension BackstageContext {
  func clock() -> Response { .json(world.clock.reading.json) }

  func moveClock(_ call: BackstageCall) async throws -> Response {
    let move = try clockMove(call)
    let before = world.clock.now
    let reading = try await world.moveClock(move)
    world.tellClockMove(from: before)
    return .json(reading.json)
  }

  private func clockMove(_ call: BackstageCall) throws -> WorldClock.Move {
    guard case .object(let members) = try call.requiredBody(), members.count == 1,
      let member = members.first
    else {
      throw BackstageRefusal.invalid("Send one of advance_seconds, set, freeze, reset.")
    }
    switch member.name {
    case "advance_seconds":
      guard let seconds = member.value.double else {
        throw BackstageRefusal.invalid(
          "'advance_seconds' must be a number.",
          at: "advance_seconds",
          "a number is expected"
        )
      }
      _ = try possible(world.clock.now.addingTimeInterval(seconds), by: member.name)
      return .advance(seconds)
    case "set":
      return .set(try time(member.value, at: member.name))
    case "freeze":
      return .freeze(try flag(member.value, at: member.name))
    case "reset":
      guard member.value.bool == true else {
        throw BackstageRefusal.invalid("'reset' must be true.")
      }
      return .reset()
    default:
      throw BackstageRefusal.invalid("There is no key '\(member.name)'.")
    }
  }

  private func possible(_ date: Date, by member: String) throws(BackstageRefusal) -> Date {
    guard WorldClock.dates.contains(date) else {
      let words = "The clock must stay between the years 1970 and 3000."
      throw .invalid(words, at: member, words)
    }
    return date
  }

  private func time(_ value: JSON, at place: String) throws(BackstageRefusal) -> Date {
    guard let date = value.string.flatMap(Timestamp.date) else {
      let words = "a time like 2026-11-21T14:35:00Z"
      throw .invalid("'\(place)' must be \(words).", at: place, "\(words) is expected")
    }
    return try possible(date, by: place)
  }

  private func flag(_ value: JSON, at place: String) throws(BackstageRefusal) -> Bool {
    guard let flag = value.bool else { throw .invalid("'\(place)' must be true or false.") }
    return flag
  }
}

/// The clock with which a world begins anew.
struct ClockBeginning: Sendable, Hashable {
  /// Nil is the machine's time.
  var time: Date?
  var isFrozen = false
}

extension BackstageContext {
  /// The clock that a `POST reset` asks for; the machine's if it has no body.
  func clockBeginning(_ call: BackstageCall) throws(BackstageRefusal) -> ClockBeginning {
    var beginning = ClockBeginning()
    guard call.content.count > 0 else { return beginning }
    let body = try call.requiredBody()
    try body.refuseKeys(besides: ["clock"])
    guard let clock = body["clock"] else { return beginning }
    try clock.refuseKeys(besides: ["set", "freeze"], in: "clock.")
    guard clock != .object([]) else {
      let words = "set, freeze or both are expected"
      throw .invalid("'clock': \(words).", at: "clock", words)
    }
    if let value = clock["set"] { beginning.time = try time(value, at: "clock.set") }
    if let value = clock["freeze"] { beginning.isFrozen = try flag(value, at: "clock.freeze") }
    return beginning
  }
}

extension WorldClock.Reading {
  var json: JSON {
    [
      "now": .string(Timestamp.text(now)),
      "offset_seconds": .integer(Int64(offset.rounded())),
      "frozen": .bool(isFrozen),
    ]
  }
}
