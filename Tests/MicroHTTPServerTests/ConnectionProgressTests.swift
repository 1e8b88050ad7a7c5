import Testing

@testable import MicroHTTPServer

@Suite struct ConnectionProgressTests {
  private let start = ContinuousClock.now
  private let deadlines = Deadlines(
    head: .seconds(5),
    kept: .seconds(30),
    body: .seconds(10),
    request: .seconds(12),
    answer: .seconds(20)
  )

  @Test("the head has five seconds from accepting, however often a byte comes (S6)")
  func head() {
    var progress = ConnectionProgress(acceptedAt: start, deadlines: deadlines)
    progress.advance(.requestLine, at: start + .seconds(4), deadlines: deadlines)
    #expect(progress.stage == .head)
    #expect(progress.deadline == start + .seconds(5))
  }

  @Test("the body has its own deadline, but never beyond that of the whole request (S6)")
  func body() {
    var progress = ConnectionProgress(acceptedAt: start, deadlines: deadlines)
    progress.advance(.headComplete, at: start + .seconds(1), deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(11))
    progress.advance(.headComplete, at: start + .seconds(4), deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(12))
  }

  @Test("nothing is due while the handler works; then the answer is")
  func answering() {
    var progress = ConnectionProgress(acceptedAt: start, deadlines: deadlines)
    progress.advance(.requestComplete, at: start, deadlines: deadlines)
    #expect(progress.deadline == nil)
    progress.advance(.answerReady, at: start + .seconds(100), deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(120))
  }

  @Test("a kept connection may rest, but a request that has begun on it may not (S6)")
  func kept() {
    var progress = ConnectionProgress(acceptedAt: start, deadlines: deadlines)
    progress.advance(.answered, at: start, deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(30))
    progress.advance(.requestLine, at: start + .seconds(20), deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(25))
    progress.advance(.answered, at: start + .seconds(21), deadlines: deadlines)
    progress.advance(.requestLine, at: start + .seconds(50), deadlines: deadlines)
    #expect(progress.deadline == start + .seconds(51))
  }
}
