internal import Dispatch
internal import Glibc
internal import Locking

/// Accepts connections as long as there is room, and hands each to one of the library's threads.
///
/// It runs on a thread of its own, which sleeps until a connection arrives or ends.
final class Acceptor: Sendable {
  /// Gives a connection to that thread of the library, which makes it non-blocking and closes it in
  /// child processes; returns false if the library closed it instead.
  typealias Handing = @Sendable (CInt, UnsafePointer<sockaddr>, socklen_t, _ thread: Int) -> Bool

  private let listening: CInt
  private let slots: ConnectionSlots
  private let hand: Handing
  private let queue = DispatchQueue(label: "vestibule.acceptor")
  /// A pipe to itself: a byte written to it wakes the accepting thread, when a connection has ended or
  /// when the acceptor is to stop.
  private let wakeUpPipe: (reading: CInt, writing: CInt)
  private let isStopped = Locked(false)

  /// Begins to accept; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - descriptor: The listening socket; it must stay open until `stop` returns.
  ///   - slots: Says whether there is room, and on which thread.
  ///   - hand: Gives a connection to the library, which closes it in the end.
  init?(on descriptor: CInt, slots: ConnectionSlots, hand: @escaping Handing) {
    listening = descriptor
    self.slots = slots
    self.hand = hand
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeUpPipe = (ends[0], ends[1])
    queue.async { [self] in run() }
  }

  /// Stops accepting; returns once the last accepted connection has been handed on.
  func stop() {
    isStopped.withLock { $0 = true }
    wakeUp()
    queue.sync {}
  }

  deinit {
    close(wakeUpPipe.reading)
    close(wakeUpPipe.writing)
  }

  private func wakeUp() {
    // If the pipe is full, the thread is about to wake anyway.
    write(wakeUpPipe.writing, [1] as [UInt8], 1)
  }

  private func run() {
    while !isStopped.withLock(\.self) {
      let isOpen = slots.haveRoom { [weak self] in self?.wakeUp() }
      var watched = [
        pollfd(fd: wakeUpPipe.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
      ]
      // Without room for another connection the listening socket is not watched, and has no events.
      poll(&watched, isOpen ? 2 : 1, -1)
      if watched[0].revents != 0 {
        var written = [UInt8](repeating: 0, count: 64)
        read(wakeUpPipe.reading, &written, written.count)
      }
      guard watched[1].revents != 0, !accept() else { continue }
      // Out of descriptors or memory: only waiting can help.
      poll(&watched, 1, 100)
    }
  }

  /// Accepts waiting connections one after the other, until none is left or there is no room.
  ///
  /// - Returns: False if the system cannot accept any connection now.
  private func accept() -> Bool {
    while slots.haveRoom(orWake: {}) {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let isHanded: Bool? = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          let descriptor = Glibc.accept(listening, address, &length)
          guard descriptor >= 0 else { return nil }
          let thread = slots.take(for: descriptor)
          let isHanded = hand(descriptor, address, length, thread)
          if !isHanded { slots.giveBack(descriptor) }
          return isHanded
        }
      }
      guard isHanded == nil else { continue }
      switch errno {
      // The client was gone before it was accepted (accept(2)).
      case ECONNABORTED, EINTR, EPROTO: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return false
      default: return true
      }
    }
    return true
  }
}
