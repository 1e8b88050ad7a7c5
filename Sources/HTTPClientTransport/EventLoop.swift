internal import CCurl
internal import Foundation

/// Drives libcurl's transfers and keeps its connections, on one thread of its own.
///
/// None of its state leaves the thread; tasks reach it only through the queue.
final class EventLoop {
  private let destination: Destination
  private let queue: CallQueue
  private let curl: CurlLibrary
  private let multi: OpaquePointer
  private var active: [OpaquePointer: Transfer] = [:]
  private var idle: [Transfer] = []

  /// Starts a thread that serves the queue until that is stopped.
  static func start(
    to destination: Destination,
    over curl: CurlLibrary,
    serving queue: CallQueue
  ) {
    let thread = Thread {
      // Foundation passes a thread's name on to the system only when the thread itself sets it.
      Thread.current.name = "http-client"
      // Signals are for the program's other threads; a broken pipe then is an ordinary error.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      EventLoop(to: destination, over: curl, serving: queue)?.run()
      queue.finish()
    }
    thread.start()
  }

  /// - Returns: Nil if libcurl does not start.
  private init?(
    to destination: Destination,
    over curl: CurlLibrary,
    serving queue: CallQueue
  ) {
    guard let multi = curl.multi_init() else { return nil }
    self.curl = curl
    self.destination = destination
    self.queue = queue
    self.multi = multi
    ccurl_multi_set_number(curl, multi, CURLMOPT_MAXCONNECTS, destination.limits.inFlightLimit)
  }

  private func run() {
    queue.begin(multi)
    var arrivals = queue.take()
    while !arrivals.isStopping {
      arrivals.cancelled.forEach(drop)
      arrivals.calls.forEach(start)
      turn()
      if queue.maySleep() { _ = curl.multi_poll(multi, nil, 0, Self.longestSleep, nil) }
      arrivals = queue.take()
    }
    queue.retire()
  }

  /// Milliseconds; libcurl wakes before when a deadline of its own is due.
  private static let longestSleep: CInt = 60_000

  deinit {
    for transfer in active.values { _ = curl.multi_remove_handle(multi, transfer.easy.pointer) }
    active = [:]
    idle = []
    _ = curl.multi_cleanup(multi)
  }
}

// MARK: - Calls

extension EventLoop {
  private func start(_ call: CallQueue.Call) {
    do throws(Fault) {
      let transfer = try freeTransfer()
      try transfer.prepare(call)
      guard curl.multi_add_handle(multi, transfer.easy.pointer) == CURLM_OK else {
        throw .notPrepared(option: nil)
      }
      active[transfer.easy.pointer] = transfer
    } catch {
      queue.settle(call.id, .failure(error))
    }
  }

  private func freeTransfer() throws(Fault) -> Transfer {
    if let transfer = idle.popLast() { return transfer }
    return try Transfer(to: destination, over: curl)
  }

  /// Ends a call that nobody waits for any more, together with its connection.
  private func drop(_ id: CallQueue.ID) {
    guard let transfer = active.values.first(where: { $0.callID == id }) else { return }
    release(transfer, isReusable: false)
  }

  /// Reads and writes whatever is possible, and answers the calls that have ended.
  private func turn() {
    var runningCount: CInt = 0
    _ = curl.multi_perform(multi, &runningCount)
    var leftCount: CInt = 0
    while let message = curl.multi_info_read(multi, &leftCount)?.pointee {
      guard message.msg == CURLMSG_DONE, let transfer = active[message.easy_handle] else {
        continue
      }
      let outcome = transfer.outcome(message.data.result)
      release(transfer, isReusable: message.data.result == CURLE_OK)
      queue.settle(transfer.callID, outcome)
    }
  }

  /// - Parameters:
  ///   - transfer: The transfer that is over.
  ///   - isReusable: Whether its handle is kept for another call: one that failed would keep reporting the error of
  ///     its connection.
  private func release(_ transfer: Transfer, isReusable: Bool) {
    active[transfer.easy.pointer] = nil
    _ = curl.multi_remove_handle(multi, transfer.easy.pointer)
    transfer.clear()
    if isReusable { idle.append(transfer) }
  }
}
