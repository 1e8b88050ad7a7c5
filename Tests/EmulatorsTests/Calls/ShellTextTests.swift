@testable import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Text to paste into a shell (S17)")
struct ShellTextTests {
  @Test(
    "quoted text stays one word, whatever it contains",
    arguments: ["it's", "x'\u{301};id;'\u{200D}", "`id` $HOME \\ \n", "", "'"]
  )
  func words(text: String) throws {
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "printf '%s|' \(ShellText.quoted(text)) end"]
    shell.standardOutput = output
    try shell.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    #expect(String(decoding: said, as: UTF8.self) == "\(text)|end|")
  }

  @Test("a call's command line quotes all that its caller has chosen, including the method")
  func commandLine() throws {
    let call = TracedCall(
      SeenCall(
        Request(
          method: try #require(HTTPRequest.Method("X`id`")),
          target: "/v1/environment?x={a,b}'\u{301};id",
          headerFields: [.userAgent: "a'$(id)"]
        ),
        .json("{}", status: .ok),
        to: "http://127.0.0.1:4010",
        at: Date(timeIntervalSince1970: 1_800_000_000),
        fault: nil,
        duration: .zero
      )
    )
    #expect(
      call.curl == #"""
        curl -g -i -X 'X`id`' 'http://127.0.0.1:4010/v1/environment?x={a,b}'\''\#u{301};id'
        """#
    )
  }

  @Test("an address that begins like an option is not taken for one")
  func optionLike() {
    let call = TracedCall(
      SeenCall(
        Request(method: .get, target: "/x"),
        .json("{}", status: .ok),
        to: "-o/tmp/y",
        at: Date(timeIntervalSince1970: 1_800_000_000),
        fault: nil,
        duration: .zero
      )
    )
    #expect(call.curl.hasPrefix("curl -g -i -X GET --url "))
  }
}
