/// Where an error goes that no answer foresees: the caller is told a reference, the report the error.
public struct UnexpectedErrorReport: Sendable {
  private let receive: @Sendable (_ reference: String, _ error: any Error) -> Void

  public init(_ receive: @escaping @Sendable (_ reference: String, _ error: any Error) -> Void) {
    self.receive = receive
  }

  /// Forgets what it is told.
  public static let none = Self { _, _ in }

  /// - Parameters:
  ///   - reference: By which the answer names the failure.
  ///   - error: What went wrong.
  public func callAsFunction(_ reference: String, _ error: any Error) { receive(reference, error) }
}
