internal import Dispatch
internal import HTTPExchange
internal import Locking

/// A server at work, and how it ends.
struct Service: Sendable {
  let socket: ListeningSocket
  let daemon: Daemon
  private let library: RunningLibrary
  private let acceptor: Acceptor
  private let isHurried = Locked(false)

  init(
    listeningOn socket: ListeningSocket,
    options: MicroHTTPServer.Options,
    handler: any HTTPHandler,
    refusing: @escaping Daemon.Refusing,
    log: @escaping @Sendable (String) -> Void
  ) throws(StartError) {
    socket.take()
    let complaints = Locked<[String]>([])
    let isStarting = Locked(true)
    let daemon = Daemon(options: options, handler: handler, refusing: refusing) { line in
      if isStarting.withLock({ $0 }) { complaints.withLock { $0.append(line) } }
      log(line)
    }
    guard let library = RunningLibrary(serving: daemon) else {
      throw StartError(reasons: complaints.withLock { $0 })
    }
    isStarting.withLock { $0 = false }
    self.socket = socket
    self.daemon = daemon
    self.library = library
    let acceptor = Acceptor(on: socket.descriptor, slots: daemon.slots) {
      library.add($0, from: $1, $2, to: $3)
    }
    guard let acceptor else {
      library.stop()
      throw StartError(reasons: ["there is no descriptor left"])
    }
    self.acceptor = acceptor
  }

  /// Ends the grace of a stop, also of one that has not begun.
  func hurry() { isHurried.withLock { $0 = true } }

  /// Lets running requests answer within `grace`, then ends the server; to be called once.
  func stop(grace: Duration) async {
    let requestsInFlight = daemon.requestsInFlight
    requestsInFlight.beginStopping()
    acceptor.stop()
    socket.refuseConnections()
    await wait(atMost: grace) {
      isHurried.withLock(\.self) || requestsInFlight.unfinishedCount == 0
    }
    requestsInFlight.close()
    // The library aborts if a connection is still suspended, and a handler may be about to suspend one.
    while requestsInFlight.unansweredCount > 0 {
      daemon.refuseWaiting()
      await pause()
    }
    // Answers in pieces may be suspended too; they have had the grace.
    daemon.streams.end()
    // Lets the last answers be written, but not for longer than a second: a client may not be reading.
    await wait(atMost: .seconds(1)) { requestsInFlight.unfinishedCount == 0 }
    daemon.sweeper.stop()
    // Joining threads blocks, which is not allowed in the cooperative pool.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        library.stop()
        continuation.resume()
      }
    }
  }

  private func wait(atMost limit: Duration, until condition: () -> Bool) async {
    let end = ContinuousClock.now + limit
    while !condition(), ContinuousClock.now < end { await pause() }
  }

  /// Polling every 2 ms is good enough here: a server stops only once.
  private func pause() async {
    do {
      try await Task.sleep(for: .milliseconds(2))
    } catch {
      // Only a cancelled task cannot sleep; yield, so that the others still get their turn.
      await Task.yield()
    }
  }
}
