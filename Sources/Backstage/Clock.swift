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
      guard let date = member.value.string.flatMap(Timestamp.date) else {
        throw BackstageRefusal.invalid(
          "'set' must be a time like 2026-11-21T14:35:00Z.",
          at: "set",
          "a time like 2026-11-21T14:35:00Z is expected"
        )
      }
      return .set(try possible(date, by: member.name))
    case "freeze":
      guard let isFrozen = member.value.bool else {
        throw BackstageRefusal.invalid("'freeze' must be true or false.")
      }
      return .freeze(isFrozen)
    case "reset":
      guard member.value.bool == true else {
        throw BackstageRefusal.invalid("'reset' must be true.")
      }
      return .reset
    default:
      throw BackstageRefusal.invalid("There is no key '\(member.name)'.")
    }
  }

  private func possible(_ date: Date, by member: String) throws -> Date {
    guard WorldClock.dates.contains(date) else {
      let words = "The clock must stay between the years 1970 and 3000."
      throw BackstageRefusal.invalid(words, at: member, words)
    }
    return date
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
