import AuthFlow
@testable import EntraNativeAuth
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("What the service itself said of an error")
struct ErrorDetailTests {
  @Test("the service's words and prose are cut, even a pile of combining marks (S17)")
  func cut() {
    let pile = "a" + String(repeating: "\u{301}", count: 10_000)
    for long in [String(repeating: "x", count: 10_001), pile] {
      let response = Response.error(
        #"{"error":"\#(long)","suberror":"\#(long)","error_description":"\#(long)"}"#
      )
      do {
        _ = try AnswerReading(now: Date(), traceID: "trace-1").answer(
          ContinuedAnswer.self,
          in: response
        )
        Issue.record("not refused")
      } catch {
        guard case .refused(let server, _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(server.code.unicodeScalars.count == 201)
        #expect(server.description?.unicodeScalars.count == 500)
      }
    }
  }

  private func refused(_ body: String, secrets: [String] = []) -> AuthError? {
    let reading = AnswerReading(now: Date(), traceID: "trace-1", secrets: secrets)
    let response = Response(status: .badRequest, body: Array(body.utf8))
    do throws(Failure) {
      _ = try reading.answer(TokenAnswer.self, in: response)
      return nil
    } catch {
      guard case .refused(let server, let traceID) = error else { return nil }
      return ErrorCatalogue.error(server, at: .password, traceID: traceID)
    }
  }

  @Test("a detail has the service's words and numbers, MSAL's, and prose without what was sent")
  func service() throws {
    let error = try #require(
      refused(
        """
        {"error": "invalid_grant", "suberror": "new_one", "error_codes": [50126, 7],
         "error_description": "AADSTS50126: not s3same-open", "correlation_id": "corr-1"}
        """,
        secrets: ["s3same-open"]
      )
    )
    let detail = try #require(error.problems.first?.detail)
    #expect(detail.kind == .api)
    #expect(detail.message == "AADSTS50126: not •••")
    #expect(
      detail.facts == [
        .init("error", .string("invalid_grant")), .init("suberror", .string("new_one")),
        .init("error_codes", .array([.number(50126), .number(7)])),
        .init("correlation_id", .string("corr-1")),
        .init(
          "msal",
          .object([
            .init("domain", .string("MSALErrorDomain")), .init("code", .number(-50000)),
            .init("internal_code", .number(-42004)),
          ])
        ),
      ]
    )
  }

  @Test(
    "what was sent is masked even as a word or a reference, and known words stay (S28)",
    arguments: [400, 429, 500]
  )
  func words(status: Int) throws {
    for secret in ["s3sameopen", String(repeating: "s3sameopen ", count: 12)] {
      let body = """
        {"error": "\(secret)", "suberror": "\(secret)", "error_codes": [50126],
         "correlation_id": "\(secret)"}
        """
      let reading = AnswerReading(now: Date(), traceID: "trace-1", secrets: [secret, "grant"])
      let failure = #expect(throws: Failure.self) {
        try reading.answer(
          TokenAnswer.self,
          in: Response(
            status: HTTPResponse.Status(code: status),
            headerFields: [.clientRequestID: secret],
            body: Array(body.utf8)
          )
        )
      }
      let error: AuthError? =
        switch failure {
        case .refused(let server, let traceID)?:
          ErrorCatalogue.error(server, at: .password, traceID: traceID)
        case .failed(let error)?: error
        case .browserRequired?, nil: nil
        }
      #expect(error?.problems.first?.code == "•••/•••")
      #expect(error?.traceID == "trace-1")
      #expect(!String(describing: error).contains("s3same"), "\(String(describing: error))")
    }
    let known = #"{"error": "invalid_grant", "suberror": "password_banned"}"#
    let error = try #require(refused(known, secrets: ["grant", "banned", "invalid_grant"]))
    #expect(error.problems.map(\.code) == ["invalid_grant/password_banned"])
    #expect(error.problems.map(\.reason) == [.passwordBanned])
  }

  @Test(
    "what was sent is also masked in the prose of a 429 and of a fault (R9)",
    arguments: [429, 500, 503]
  )
  func fault(status: Int) throws {
    let body = #"{"error": "server_error", "error_description": "failed with s3same-open"}"#
    let reading = AnswerReading(now: Date(), traceID: "trace-1", secrets: ["s3same-open"])
    let error = #expect(throws: Failure.self) {
      try reading.answer(
        TokenAnswer.self,
        in: Response(status: HTTPResponse.Status(code: status), body: Array(body.utf8))
      )
    }
    guard case .failed(let fault) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.problems.first?.detail?.message == "failed with •••")
  }

  @Test(
    "a call that got no answer is reported as the system's own error",
    arguments: [
      (TransportError.offline, -1009), (.timedOut, -1001), (.connectionLost, -1005),
      (.tlsFailed, -1200),
    ]
  )
  func client(fault: TransportError, code: Int) throws {
    let detail = try #require(AuthError(fault, traceID: "t").problems.first?.detail)
    #expect(detail.kind == .client)
    #expect(
      detail.facts == [
        .init("error", .null), .init("suberror", .null), .init("error_codes", .null),
        .init("correlation_id", .string("t")),
        .init(
          "msal",
          .object([
            .init("domain", .string("NSURLErrorDomain")), .init("code", .number(code)),
            .init("internal_code", .null),
          ])
        ),
      ]
    )
  }

  @Test("an unusable answer has every fact that an error has, and the call's own reference")
  func unusable() throws {
    let reading = AnswerReading(now: Date(), traceID: "trace-1")
    let error = reading.fault(of: Response(status: .badGateway))
    let detail = try #require(error.problems.first?.detail)
    #expect(detail.kind == .client)
    #expect(
      detail.facts.map(\.name)
        == ["error", "suberror", "error_codes", "correlation_id", "msal"]
    )
    #expect(detail.facts[3].value == .string("trace-1"))
  }
}
