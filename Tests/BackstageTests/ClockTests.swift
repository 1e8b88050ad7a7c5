import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The clock of a world")
struct ClockTests {
  private func date(_ answer: Answer) throws -> Date {
    let text = try #require(answer.json["now"]?.string)
    return try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
  }

  /// Whether the clock was read between then and now, give or take a second.
  private func isReading(
    _ answer: Answer,
    since start: Date,
    ahead seconds: Double = 0
  ) throws -> Bool {
    let machineTime = try date(answer).addingTimeInterval(-seconds)
    return start.addingTimeInterval(-1) <= machineTime
      && machineTime <= Date().addingTimeInterval(1)
  }

  @Test("it is the machine's until it is moved")
  func reads() async throws {
    let start = Date()
    let answer = try await BackstageClient().send(.get, "clock")
    #expect(answer.json["offset_seconds"] == 0)
    #expect(answer.json["frozen"] == false)
    #expect(try isReading(answer, since: start))
  }

  @Test("it moves forward and back, and runs on", arguments: [3600, -3600])
  func advances(seconds: Int) async throws {
    let client = try BackstageClient()
    let start = Date()
    let answer = try await client.send(.post, "clock", body: #"{"advance_seconds":\#(seconds)}"#)
    #expect(answer.status == 200)
    #expect(answer.json["offset_seconds"] == .integer(Int64(seconds)))
    #expect(try isReading(answer, since: start, ahead: Double(seconds)))
  }

  @Test("it is set, frozen, moved while frozen, and reset")
  func sets() async throws {
    let client = try BackstageClient()
    #expect(try await client.send(.post, "clock", body: #"{"freeze":true}"#).json["frozen"] == true)
    let set = try await client.send(.post, "clock", body: #"{"set":"2031-05-06T07:08:09Z"}"#)
    #expect(set.json["now"] == "2031-05-06T07:08:09Z")
    #expect(try await client.send(.get, "clock").json["now"] == "2031-05-06T07:08:09Z")
    let exact = try await client.send(.post, "clock", body: #"{"set":"2031-05-06T07:08:09.500Z"}"#)
    #expect(exact.json["now"] == "2031-05-06T07:08:09.500Z")
    _ = try await client.send(.post, "clock", body: #"{"set":"2031-05-06T07:08:09Z"}"#)
    let moved = try await client.send(.post, "clock", body: #"{"advance_seconds":1}"#)
    #expect(moved.json["now"] == "2031-05-06T07:08:10Z")
    let reset = try await client.send(.post, "clock", body: #"{"reset":true}"#)
    #expect(reset.json["frozen"] == false)
    #expect(reset.json["offset_seconds"] == 0)
  }

  @Test(
    "moving it back unlocks nobody: a lock lasts as long as it was meant to",
    arguments: [#"{"advance_seconds":-3600}"#, #"{"set":"2026-01-02T03:04:05Z"}"#]
  )
  func keepsLocks(move: String) async throws {
    let client = try BackstageClient()
    func isLocked(_ id: String) async throws -> Bool {
      let user = try await client.send(.get, "users/\(id)").json
      return user["locked"].map { $0 != .null } ?? false
    }
    let short = #"{"id":"user_short","username":"short_lock","locked":{"seconds":60}}"#
    #expect(try await client.send(.post, "users", body: short).status == 200)
    let locked = ["user_lou", "user_lena", "user_short"]
    _ = try await client.send(.post, "clock", body: move)
    for id in locked { #expect(try await isLocked(id), "\(id)") }
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":61}"#)
    #expect(try await !isLocked("user_short"))
    #expect(try await isLocked("user_lou"))
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":1800}"#)
    #expect(try await !isLocked("user_lou"))
    #expect(try await isLocked("user_lena"), "without an end")
  }

  @Test(
    "a senseless request is refused, and moves nothing",
    arguments: [
      "{}", #"{"advance_seconds":"1"}"#, #"{"set":"tomorrow"}"#, #"{"freeze":1}"#,
      #"{"reset":false}"#, #"{"now":1}"#, #"{"advance_seconds":1,"freeze":true}"#,
      #"{"advance_seconds":1e300}"#, #"{"set":"9999-01-01T00:00:00Z"}"#,
      #"{"set":"2026-02-30T00:00:00Z"}"#, #"{"set":"2026-02-28T25:00:00Z"}"#,
      #"{"set":"2026-02-28T00:00:00Z or so"}"#, #"{"set":"2026-2-28T00:00:00Z"}"#,
    ]
  )
  func refuses(body: String) async throws {
    let client = try BackstageClient()
    #expect(try await client.send(.post, "clock", body: body).status == 422)
    #expect(try await client.send(.get, "clock").json["offset_seconds"] == 0)
  }

  @Test("each world has its own")
  func worlds() async throws {
    let client = try BackstageClient()
    let inA = HTTPField(name: .vestibuleWorld, value: "a")
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":60}"#, fields: [inA])
    #expect(try await client.send(.get, "clock").json["offset_seconds"] == 0)
    #expect(try await client.send(.get, "clock", fields: [inA]).json["offset_seconds"] == 60)
  }
}
