internal import CMicroHTTPD

/// A connection that the library keeps suspended until it is resumed, which must happen exactly once.
///
/// `@unchecked Sendable`: the pointer stays valid while the connection is suspended, and
/// `MHD_resume_connection` may be called from any thread.
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
