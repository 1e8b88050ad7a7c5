/// How long a client may take for each stage (S6).
struct Deadlines: Sendable {
  var head: Duration
  var kept: Duration
  var body: Duration
  var request: Duration
  var answer: Duration
}

/// The stage of a connection, and when it ends.
struct ConnectionProgress {
  enum Stage: Equatable {
    /// No request head has arrived yet, or only part of one.
    case head
    /// As `head`, after an answer on the same connection.
    case kept
    case body
    /// The client is waiting for the handler.
    case handling
    case answering
  }

  enum Step {
    case requestLine
    case headComplete
    case requestComplete
    case answerReady
    case answered
  }

  private(set) var stage = Stage.head
  /// When this stage began.
  private(set) var since: ContinuousClock.Instant
  /// When the connection is cut; nil while the client is waiting for the handler.
  private(set) var deadline: ContinuousClock.Instant?
  private var requestDeadline: ContinuousClock.Instant
  var isCut = false

  init(acceptedAt now: ContinuousClock.Instant, deadlines: Deadlines) {
    since = now
    deadline = now + deadlines.head
    requestDeadline = now + deadlines.request
  }

  mutating func advance(_ step: Step, at now: ContinuousClock.Instant, deadlines: Deadlines) {
    switch step {
    case .requestLine:
      guard stage == .kept else { return }
      requestDeadline = now + deadlines.request
      enter(.head, at: now, until: min(now + deadlines.head, deadline ?? now + deadlines.head))
    case .headComplete:
      enter(.body, at: now, until: min(now + deadlines.body, requestDeadline))
    case .requestComplete:
      enter(.handling, at: now, until: nil)
    case .answerReady:
      enter(.answering, at: now, until: now + deadlines.answer)
    case .answered:
      enter(.kept, at: now, until: now + deadlines.kept)
    }
  }

  private mutating func enter(
    _ stage: Stage,
    at now: ContinuousClock.Instant,
    until deadline: ContinuousClock.Instant?
  ) {
    self.stage = stage
    since = now
    self.deadline = deadline
  }
}
