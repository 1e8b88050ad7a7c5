import Foundation
import Testing
import TestSupport

/// A form that has begun to arrive and does not go on: a stop waits for it as long as for any request.
struct HeldForm {
  private let sender: LoopbackConnection

  /// - Parameter address: The address of the pages.
  /// - Throws: If no form is taken there.
  init(at address: String) throws {
    let port = try #require(URL(string: address)?.port)
    sender = LoopbackConnection(descriptor: try LoopbackSocket.connect(to: port))
    let lines = [
      "POST /sign-in HTTP/1.1", "Host: localhost:\(port)", "Expect: 100-continue",
      "Content-Type: application/x-www-form-urlencoded", "Content-Length: 99", "", "",
    ]
    sender.write(lines.joined(separator: "\r\n"))
    let answer = String(decoding: sender.readSome(), as: UTF8.self)
    try #require(answer.hasPrefix("HTTP/1.1 100 "), "\(answer)")
    sender.write("form_token=")
  }

  /// Lets the sender go.
  func end() { close(sender.descriptor) }
}
