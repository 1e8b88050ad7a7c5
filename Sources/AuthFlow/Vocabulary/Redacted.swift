/// A value whose contents are never printed, nor visible in a mirror.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What is printed in its place, such as `<password>`.
  static var redaction: String { get }
}

extension Redacted {
  public var description: String { Self.redaction }
  public var debugDescription: String { Self.redaction }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
