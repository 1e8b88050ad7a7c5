internal import CMicroHTTPD
internal import HTTPExchange
internal import HTTPTypes
internal import Locking

/// The state behind the library's callbacks: the handler, the limits, and the open connections.
///
/// The running library holds a reference to it, and gives it back when it has stopped.
final class Daemon: Sendable {
  typealias Refusing = @Sendable (MicroHTTPServer.Refusal, Request?) -> Response

  let options: MicroHTTPServer.Options
  let deadlines: Deadlines
  let handler: any HTTPHandler
  let refusing: Refusing
  let log: @Sendable (String) -> Void
  let connections: ConnectionTable
  let sweeper: Sweeper
  let slots: ConnectionSlots
  let requestsInFlight = RequestsInFlight()
  let streams = AnswerStreams()
  let exchangeGauge = Gauge()
  /// Certificates that replaced the one from the start.
  ///
  /// New connections show the last one. All are kept, since open connections may refer to any of them:
  /// each takes a few kilobytes.
  private let laterCredentials = Locked<[TLSCredentials]>([])

  init(
    options: MicroHTTPServer.Options,
    handler: any HTTPHandler,
    refusing: @escaping Refusing,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    deadlines = Deadlines(
      head: options.headDeadline,
      kept: options.keptDeadline,
      body: options.bodyDeadline,
      request: options.requestDeadline,
      answer: options.answerDeadline
    )
    self.handler = handler
    self.refusing = refusing
    self.log = log
    connections = ConnectionTable(limit: options.connectionLimit, reporting: options.reportCut)
    sweeper = Sweeper(interval: options.sweepInterval)
    slots = ConnectionSlots(threadCount: options.threadCount, limit: options.connectionLimit)
  }
}

// MARK: - Who comes, and whose time is up

extension Daemon {
  /// Adds a new connection, and makes sure that it is swept until it has gone.
  func insert(_ connection: Connection, at now: ContinuousClock.Instant) {
    connections.insert(connection, at: now)
    sweeper.wake { [self] in sweep(at: .now) }
  }

  /// - Returns: Whether there is a connection, or a handler still running that may outlive its client.
  private func sweep(at now: ContinuousClock.Instant) -> Bool {
    connections.sweep(at: now)
    leaveDeserted(at: now)
    refuseOverdue(at: now)
    return connections.count > 0 || requestsInFlight.unfinishedCount > 0
  }

  /// Gives the places of clients that have gone to others where they are scarce; `end` then cancels
  /// their handlers.
  private func leaveDeserted(at now: ContinuousClock.Instant) {
    let deserted = connections.cutDeserted(at: now)
    guard !deserted.isEmpty else { return }
    for waiting in requestsInFlight.waiting
    where deserted[ObjectIdentifier(waiting.exchange.connection)] != nil {
      waiting.exchange.noteDeparture()
    }
  }
}

// MARK: - The stages of a request, each on the connection's own thread

extension Daemon {
  /// Called when the head is complete: refuses it, or prepares for the body.
  func readHead(
    _ head: RequestHead,
    of exchange: Exchange,
    on pointer: OpaquePointer
  ) -> MHD_Result {
    let framed: FramedRequest
    do throws(MicroHTTPServer.Malformation) {
      framed = try FramedRequest(head, after: &exchange.connection.lastHead)
    } catch {
      return refuse(.malformedFraming(error), head.wishes, to: exchange, on: pointer)
    }
    guard head.byteCount <= options.headLimitBytes else {
      return refuse(.headTooLarge, framed.request.withoutCargo, to: exchange, on: pointer)
    }
    // A NUL can deceive the library about where the trailers of a chunked body end; what follows could
    // then pass for another client's request.
    exchange.isLast = framed.body == .chunked
    exchange.connection.advance(.headComplete, deadlines: deadlines)
    guard case .length(let length) = framed.body,
      options.isTooLong(length, for: framed.request)
    else {
      // A stop waits for a body that is still arriving, as for running requests.
      if framed.body != .length(0) { exchange.isCounted = requestsInFlight.expect() }
      exchange.intake = .body(framed, received: 0)
      return .YES
    }
    guard length <= options.swallowLimitBytes, !framed.expectsContinue else {
      return refuse(.bodyTooLarge, framed.request, to: exchange, on: pointer)
    }
    exchange.intake = .swallowing(.bodyTooLarge, framed.request, received: 0)
    return .YES
  }

  /// Called when a part of the body has arrived.
  func readBody(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> MHD_Result {
    switch exchange.intake {
    case .body(var framed, let received):
      let total = received + bytes.count
      guard !options.isTooLong(total, for: framed.request) else {
        framed.request.body = []
        return swallow(total, for: framed.request, of: exchange, as: .bodyTooLarge)
      }
      // Empty the case first, so that the body grows in place instead of being copied each time.
      exchange.intake = .answering
      if received == 0 { framed.reserve(upTo: options.bodyLimitBytes) }
      do throws(SpooledBody.Failure) {
        try framed.append(bytes, inMemoryUpTo: options.bodyLimitBytes)
      } catch {
        log("\(error)")
        framed.request.body = []
        return swallow(total, for: framed.request, of: exchange, as: .bodyNotKept)
      }
      exchange.intake = .body(framed, received: total)
      return .YES
    case .swallowing(let refusal, let request, let received):
      return swallow(received + bytes.count, for: request, of: exchange, as: refusal)
    case .requestLine, .answering:
      return .YES
    }
  }

  private func swallow(
    _ total: Int,
    for request: Request,
    of exchange: Exchange,
    as refusal: MicroHTTPServer.Refusal
  ) -> MHD_Result {
    guard total <= options.swallowLimitBytes else { return .NO }
    exchange.intake = .swallowing(refusal, request, received: total)
    return .YES
  }

  /// Called when the request is complete, and when the connection has been resumed.
  func proceed(with exchange: Exchange, on pointer: OpaquePointer) -> MHD_Result {
    switch exchange.intake {
    // The library completes no request before its head.
    case .requestLine: return .NO
    case .body(let framed, _):
      exchange.intake = .answering
      return dispatch(framed.request, of: exchange, on: pointer)
    case .swallowing(let refusal, let request, _):
      return refuse(refusal, request, to: exchange, on: pointer)
    case .answering:
      guard exchange.goOn() else { return .NO }
      guard let response = exchange.answerOrSuspend(pointer) else { return .YES }
      return send(response, of: exchange, closes: requestsInFlight.isStopping, on: pointer)
    }
  }

  /// Called when the answer has been sent or the client has gone.
  func end(_ exchange: Exchange) {
    exchange.connection.advance(.answered, deadlines: deadlines)
    if let stream = exchange.stream { streams.remove(stream) }
    if exchange.end() {
      // Shielded work still runs to its end, and a stop waits for it; the rest is in vain.
      exchange.cancellation(overdueAt: nil)?()
    } else if exchange.isCounted {
      requestsInFlight.finish(exchange)
    }
  }

  private func dispatch(
    _ request: Request,
    of exchange: Exchange,
    on pointer: OpaquePointer
  ) -> MHD_Result {
    let ready = handler.readyAnswer(to: request)
    guard requestsInFlight.admit(waits: ready == nil, isExpected: exchange.isCounted) else {
      return refuse(.stopping, request, to: exchange, on: pointer)
    }
    exchange.isCounted = true
    if let ready { return send(ready(), of: exchange, closes: false, on: pointer) }
    exchange.connection.advance(.requestComplete, deadlines: deadlines)
    exchange.begin()
    // Immediate: a handler that never waits has answered by the time this returns, so that nothing is
    // suspended or woken for it.
    let shield = CancellationShield()
    let task = Task.immediate(executorPreference: exchange) {
      await shield.guarding {
        let response = await self.handler.respond(to: request)
        self.answer(response, for: exchange)
      }
    }
    let response = exchange.answerOrSuspend(
      pointer,
      patience: Exchange.Patience(
        cancel: { shield.cancel(task) },
        deadline: ContinuousClock.now + options.handlerDeadline(request)
      )
    )
    guard let response else {
      requestsInFlight.noteWaiting(exchange, asking: request)
      return .YES
    }
    return send(response, of: exchange, closes: requestsInFlight.isStopping, on: pointer)
  }

  /// Refuses without asking the handler.
  private func refuse(
    _ refusal: MicroHTTPServer.Refusal,
    _ request: Request?,
    to exchange: Exchange,
    on pointer: OpaquePointer
  ) -> MHD_Result {
    exchange.intake = .answering
    if !exchange.isCounted { requestsInFlight.admitRefusal() }
    exchange.isCounted = true
    return send(refusing(refusal, request), of: exchange, closes: refusal.closes, on: pointer)
  }

  private func send(
    _ response: Response,
    of exchange: Exchange,
    closes: Bool,
    on pointer: OpaquePointer
  ) -> MHD_Result {
    exchange.connection.advance(.answerReady, deadlines: deadlines)
    let closes = closes || exchange.isLast
    do throws(UnsendableAnswer) {
      return try write(response, of: exchange, closes: closes, on: pointer)
    } catch {
      log("an answer could not be sent: \(error)")
    }
    do throws(UnsendableAnswer) {
      let page = refusing(.unsendableAnswer, nil)
      return try write(page, of: exchange, closes: closes, on: pointer)
    } catch {
      log("the page that should say so could not be sent either: \(error)")
      return .NO
    }
  }

  private func write(
    _ response: Response,
    of exchange: Exchange,
    closes: Bool,
    on pointer: OpaquePointer
  ) throws(UnsendableAnswer) -> MHD_Result {
    try queue(response, closes: closes, on: pointer) { pieces in
      let connection = exchange.connection
      let stream = AnswerStream(of: pieces, on: pointer, log: log) { [deadlines] in
        connection.advance(.answerReady, deadlines: deadlines)
      }
      exchange.stream = stream
      streams.insert(stream)
      return stream
    }
  }
}

// MARK: - Certificates

extension Daemon {
  func replaceCertificate(by credentials: TLSCredentials) {
    laterCredentials.withLock { $0.append(credentials) }
  }

  /// Makes a new connection show the current certificate.
  func presentCertificate(on pointer: OpaquePointer) {
    guard options.tls != nil, let newest = laterCredentials.withLock({ $0.last }) else { return }
    if !newest.present(on: pointer) { log("a connection shows an older certificate") }
  }
}

// MARK: - Answers, from any thread

extension Daemon {
  /// Takes the first answer for an exchange and ignores any further one.
  func answer(_ response: Response, for exchange: Exchange) {
    switch exchange.answer(with: response) {
    case .sent: requestsInFlight.answered()
    case .unread:
      requestsInFlight.answered()
      requestsInFlight.finish(exchange)
    case .late: break
    }
  }

  /// Answers in place of the handlers that are past their deadline, and cancels them.
  private func refuseOverdue(at now: ContinuousClock.Instant) {
    refuseWaiting(overdueAt: now, as: .handlerTimedOut)
  }

  /// Answers for every handler that still waits, and cancels it.
  func refuseWaiting() {
    refuseWaiting(overdueAt: nil, as: .stopping)
  }

  private func refuseWaiting(
    overdueAt now: ContinuousClock.Instant?,
    as refusal: MicroHTTPServer.Refusal
  ) {
    for waiting in requestsInFlight.waiting {
      guard let cancel = waiting.exchange.cancellation(overdueAt: now) else { continue }
      answer(refusing(refusal, waiting.request), for: waiting.exchange)
      cancel()
    }
  }
}
