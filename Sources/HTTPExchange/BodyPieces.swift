/// A body that is made piece by piece, each once the one before it has been taken.
///
/// The sender asks for one piece at a time, and for none once the other end has gone: it then
/// releases this object and what it holds.
public final class BodyPieces: Sendable {
  private let make: @Sendable () async throws -> [UInt8]?

  /// - Parameter next: Makes the next piece; returns nil after the last one. An error breaks the
  ///   answer off, so that what came before it is not mistaken for the whole.
  public init(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
    make = next
  }

  /// The next piece that is not empty, or nil at the end.
  public func next() async throws -> [UInt8]? {
    while let piece = try await make() {
      if !piece.isEmpty { return piece }
    }
    return nil
  }
}

/// Each is equal only to itself, since its content is not known.
extension BodyPieces: Hashable {
  public static func == (left: BodyPieces, right: BodyPieces) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Response {
  /// The same answer with its body in memory as a whole; a body that ends early counts as truncated.
  ///
  /// Stops reading once the body exceeds the limit: it is then longer than `limitBytes`.
  func collected(limitBytes: Int) async -> Response {
    guard case .pieces(let pieces) = content else { return self }
    var whole = self
    var body: [UInt8] = []
    do {
      while body.count <= limitBytes, let piece = try await pieces.next() { body += piece }
    } catch {
      // The maker of the pieces reports the cause; over a socket, too, the client would see only this.
      whole.deliveryFailure = .truncated
    }
    whole.body = body
    return whole
  }
}
