import Foundation
import Testing
import TestSupport

/// A call that the emulated API holds for longer than any stop waits, and its caller, who waits for the
/// answer.
struct HeldCall {
  private let caller: LoopbackConnection

  /// - Parameter address: The emulated API's.
  /// - Throws: If no such call can be made there.
  init(at address: String) async throws {
    let url = try #require(URL(string: address))
    let port = try #require(url.port)
    let faults = url.appendingPathComponent("backstage/api/faults").absoluteString
    func ask(_ words: [String]) throws -> String {
      try Command.run(
        ["curl", "-s", "--max-time", "20", "-H", "X-Vestibule-Backstage: 1"] + words + [faults]
      ).output
    }
    // Once a call is held, the fault is used up.
    let slow = #"{"match": {"path": "/v1/client/sign_ins"}, "times": 1, "delay_ms": 60000}"#
    let added = try ask(["-H", "Content-Type: application/json", "-d", slow])
    try #require(added.contains(#""delay_ms":60000"#), "\(added)")
    caller = LoopbackConnection(descriptor: try LoopbackSocket.connect(to: port))
    let lines = [
      "POST /v1/client/sign_ins HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Length: 0", "", "",
    ]
    caller.write(lines.joined(separator: "\r\n"))
    let isHeld = try await eventually { try ask([]) == "[]" }
    try #require(isHeld)
  }

  /// Lets the caller go.
  func end() { close(caller.descriptor) }
}
