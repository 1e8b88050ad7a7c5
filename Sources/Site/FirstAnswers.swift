internal import HTTPExchange
internal import HTTPTypes
internal import Locking

/// Keeps first answers by the whole head that they were given to.
///
/// So nothing in a head has to be known here as being of account: with another one, even where that
/// means the same, the page is made the ordinary way.
final class FirstAnswers: Sendable {
  static let headLimitBytes = 2_048

  private struct Head: Hashable {
    var target: String
    var fields: HTTPFields

    init?(_ request: Request) {
      guard request.method == .get, request.content.count == 0 else { return nil }
      target = request.target
      fields = request.headerFields
    }

    var byteCount: Int {
      fields.reduce(target.utf8.count) { count, field in
        count + field.name.rawName.utf8.count + field.withUnsafeBytesOfValue(\.count)
      }
    }

    static func == (left: Self, right: Self) -> Bool {
      left.target == right.target && left.fields.elementsEqual(right.fields)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(target)
      for field in fields {
        field.withUnsafeBytesOfValue { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  private let limit: Int
  private let kept = Locked<[Head: FirstAnswer]>([:])

  /// - Parameter limit: How many are kept, of heads that are no longer than `headLimitBytes`: whoever makes
  ///   them up does not fill the memory.
  init(limit: Int = 1_024) { self.limit = limit }

  var count: Int { kept.withLock(\.count) }

  /// What was answered to such a request; whether its world is still the same is for the caller to see.
  func answer(to request: Request) -> FirstAnswer? {
    Head(request).flatMap { head in kept.withLock { $0[head] } }
  }

  func keep(_ answer: FirstAnswer, to request: Request) {
    guard let head = Head(request), head.byteCount <= Self.headLimitBytes else { return }
    kept.withLock { kept in
      if kept.count >= limit, kept[head] == nil { kept.removeAll(keepingCapacity: true) }
      kept[head] = answer
    }
  }
}
