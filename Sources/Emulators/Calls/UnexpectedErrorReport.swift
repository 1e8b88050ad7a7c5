/// Receives errors that no answer foresees; the caller's answer has only a reference to them.
public struct UnexpectedErrorReport: Sendable {
  private let receive: @Sendable (_ reference: String, _ error: any Error) -> Void

  public init(_ receive: @escaping @Sendable (_ reference: String, _ error: any Error) -> Void) {
    self.receive = receive
  }

  /// Discards every report.
  public static let none = Self { _, _ in }

  /// - Parameters:
  ///   - reference: The reference in the caller's answer.
  ///   - error: What went wrong.
  public func callAsFunction(_ reference: String, _ error: any Error) { receive(reference, error) }
}
