internal import CMicroHTTPD

/// A connection that the library holds still until it is resumed, exactly once.
///
/// `@unchecked Sendable`: the pointer stays valid while the connection is suspended, and
/// `MHD_resume_connection` is made to be called from any thread.
struct SuspendedConnection: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(suspending pointer: OpaquePointer) {
    MHD_suspend_connection(pointer)
    self.pointer = pointer
  }

  func resume() {
    MHD_resume_connection(pointer)
  }
}
