internal import Emulators
internal import Foundation
internal import HTTPExchange

extension BackstageContext {
  func clock() -> Response { .json(world.clock.reading.json) }

  func moveClock(_ call: BackstageCall) throws -> Response {
    let before = world.clock.now
    let answer = try movedClock(call)
    world.tellClockMove(from: before)
    return answer
  }

  private func movedClock(_ call: BackstageCall) throws -> Response {
    guard case .object(let members) = try call.requiredBody(), members.count == 1,
      let member = members.first
    else {
      throw BackstageRefusal.invalid("Send one of advance_seconds, set, freeze, reset.")
    }
    switch member.name {
    case "advance_seconds":
      guard let seconds = member.value.double else {
        throw BackstageRefusal.invalid(
          "'advance_seconds' is a number.",
          at: "advance_seconds",
          "a number is expected"
        )
      }
      return try move(to: world.clock.now.addingTimeInterval(seconds), by: member.name) {
        world.clock.advance(seconds)
      }
    case "set":
      guard let date = member.value.string.flatMap(Timestamp.date) else {
        throw BackstageRefusal.invalid(
          "'set' is a time like 2026-11-21T14:35:00Z.",
          at: "set",
          "a time like 2026-11-21T14:35:00Z is expected"
        )
      }
      return try move(to: date, by: member.name) { world.clock.set(date) }
    case "freeze":
      guard let isFrozen = member.value.bool else {
        throw BackstageRefusal.invalid("'freeze' is true or false.")
      }
      return .json(world.clock.freeze(isFrozen).json)
    case "reset":
      guard member.value.bool == true else {
        throw BackstageRefusal.invalid("'reset' is true.")
      }
      return .json(world.clock.reset().json)
    default:
      throw BackstageRefusal.invalid("There is no key '\(member.name)'.")
    }
  }

  private func move(
    to date: Date,
    by member: String,
    _ change: () -> WorldClock.Reading
  ) throws -> Response {
    guard WorldClock.dates.contains(date) else {
      let words = "The clock stays between the years 1970 and 3000."
      throw BackstageRefusal.invalid(words, at: member, words)
    }
    return .json(change().json)
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
