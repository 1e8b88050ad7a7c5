internal import HTTPExchange
internal import HTTPTypes
internal import Locking

/// Keeps first answers by the whole request head that they answered.
///
/// So no header field has to be known here to matter. A different head, even of the same meaning,
/// gets its page the ordinary way.
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

  /// - Parameter limit: The number of answers that are kept, each for a head of at most
  ///   `headLimitBytes`, so that invented heads do not fill the memory.
  init(limit: Int = 1_024) { self.limit = limit }

  var count: Int { kept.withLock(\.count) }

  /// The answer kept for such a request; the caller has to check that its world has not changed.
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
