import AuthAPIClient
import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Faults on the way to an auth API")
struct CallFaultTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    "each fault without an answer has its code and reason",
    arguments: [
      (.offline, "offline", .offline),
      (.refused, "service_unavailable", .serviceUnreachable),
      (.tlsFailed, "service_unavailable", .serviceUnreachable),
      (.busy, "service_unavailable", .serviceUnreachable),
      (.connectionLost, "service_unavailable", .serviceAnswerLost),
      (.timedOut, "service_timed_out", .serviceTimedOut),
      (.malformedAnswer, "service_answered_nonsense", .serviceAnsweredNonsense),
    ] as [(TransportError, String, Reason)]
  )
  func withoutAnswer(error: TransportError, code: String, reason: Reason) {
    let problem = Problem(CallFault(error))
    #expect(problem.code == code)
    #expect(problem.reason == reason)
    #expect(problem.detail?.facts.map(\.value) == [.string(code)])
  }

  @Test(
    "an answer without words of its own is read by its status",
    arguments: [
      (429, .tooManyRequests(until: now.addingTimeInterval(30))),
      (503, .serviceUnavailable),
      (504, .serviceTimedOut),
      (500, .serviceAnsweredNonsense),
      (404, .serviceAnsweredNonsense),
      (200, .serviceAnsweredNonsense),
    ] as [(Int, Reason)]
  )
  func byStatus(status: Int, reason: Reason) {
    let response = Response(
      status: HTTPResponse.Status(code: status),
      headerFields: [.retryAfter: "30"]
    )
    #expect(CallFault(response, now: Self.now).reason == reason)
  }

  @Test(
    "a wait of more than a day also has an end",
    arguments: [
      ("86400", now.addingTimeInterval(86_400)), ("86401", now.addingTimeInterval(86_401)),
      ("604800", now.addingTimeInterval(604_800)), ("99999999999999999999", .distantFuture),
    ] as [(String, Date)]
  )
  func longWait(value: String, end: Date) {
    let response = Response(status: .tooManyRequests, headerFields: [.retryAfter: value])
    #expect(CallFault(response, now: Self.now).reason == .tooManyRequests(until: end))
  }
}
