/// The part of a long list that one page shows.
struct ListPart<Element> {
  /// The number of elements on a page.
  static var limit: Int { 25 }

  let elements: [Element]
  /// Whether the list goes on after them.
  let hasMore: Bool
  /// Whether the list begins before them.
  let isLater: Bool

  /// - Parameters:
  ///   - list: The whole list.
  ///   - last: The index of the last element of the part before; nil for the first part.
  init(of list: [Element], after last: Int?) {
    let rest = list.dropFirst(last.map { $0 + 1 } ?? 0)
    elements = Array(rest.prefix(Self.limit))
    hasMore = rest.count > Self.limit
    isLater = last != nil
  }
}

extension ListPart: Sendable where Element: Sendable {}
