/// A body that is made piece by piece, each when the one before it has been taken.
///
/// Whoever sends it asks for one piece at a time, and for none once the other end has gone: then it
/// is let go of, and what it holds with it.
public final class BodyPieces: Sendable {
  private let make: @Sendable () async throws -> [UInt8]?

  /// - Parameter next: Makes the piece that comes next, nil after the last one. An error breaks the
  ///   answer off, so that nobody takes what came before it for the whole.
  public init(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
    make = next
  }

  /// The next piece that has anything in it, or nil at the end.
  public func next() async throws -> [UInt8]? {
    while let piece = try await make() {
      if !piece.isEmpty { return piece }
    }
    return nil
  }
}

/// Each is equal to itself alone: what it will say is not known.
extension BodyPieces: Hashable {
  public static func == (left: BodyPieces, right: BodyPieces) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Response {
  /// The same answer with its body whole; broken off where the body is too long, or ends early.
  func collected(limitBytes: Int) async -> Response {
    guard case .pieces(let pieces) = content else { return self }
    var whole = self
    var body: [UInt8] = []
    do {
      while body.count <= limitBytes, let piece = try await pieces.next() { body += piece }
    } catch {
      // Why, is for the maker of the pieces to tell; who asked sees no more over a socket either.
      whole.deliveryFailure = .truncated
    }
    whole.body = body
    return whole
  }
}
