internal import Dispatch
internal import Glibc
internal import Locking

/// Accepts connections, as long as there is room, and hands each to a thread of the library.
///
/// On a thread of its own, which sleeps until somebody comes or goes.
final class Acceptor: Sendable {
  /// Gives a connection to that thread of the library, which keeps it from waiting and from child
  /// processes; false where it was closed instead.
  typealias Handing = @Sendable (CInt, UnsafePointer<sockaddr>, socklen_t, _ thread: Int) -> Bool

  private let listening: CInt
  private let slots: ConnectionSlots
  private let hand: Handing
  private let queue = DispatchQueue(label: "vestibule.acceptor")
  /// A pipe to itself: what is written there when a connection has ended, or nobody is to be accepted
  /// any more, wakes the thread at the other end.
  private let wakeUpPipe: (reading: CInt, writing: CInt)
  private let isStopped = Locked(false)

  /// Begins to accept; nil where the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - descriptor: The listening socket; it must stay open until `stop` returns.
  ///   - slots: Where there is room.
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

  /// Accepts nobody any more; returns when the last has been handed on.
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
    // Where it is full, the thread is about to wake.
    write(wakeUpPipe.writing, [1] as [UInt8], 1)
  }

  private func run() {
    while !isStopped.withLock(\.self) {
      let isOpen = slots.haveRoom { [weak self] in self?.wakeUp() }
      var watched = [
        pollfd(fd: wakeUpPipe.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
      ]
      poll(&watched, isOpen ? 2 : 1, -1)
      if watched[0].revents != 0 {
        var written = [UInt8](repeating: 0, count: 64)
        read(wakeUpPipe.reading, &written, written.count)
      }
      guard isOpen, watched[1].revents != 0, !accept() else { continue }
      // Out of descriptors or of memory, which only time may mend.
      poll(&watched, 1, 100)
    }
  }

  /// Accepts those who wait, one after the other, until there is no room.
  ///
  /// - Returns: False where the system can accept nobody now.
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
      // Gone again before we came to it (accept(2)).
      case ECONNABORTED, EINTR, EPROTO: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return false
      default: return true
      }
    }
    return true
  }
}
