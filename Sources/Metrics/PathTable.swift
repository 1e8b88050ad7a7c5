/// Matches a path against known paths, without allocating memory.
///
/// A known path may have wildcard segments, written in braces: `/v1/client/sessions/{id}/touch`. A
/// literal segment takes precedence over a wildcard.
package struct PathTable: Sendable {
  private struct Node: Sendable {
    var next: [(segment: [UInt8], node: Int)] = []
    var nextOfAny: Int?
    var path: Int?
  }

  private var nodes = [Node()]

  /// - Parameter paths: The known paths, each beginning with a slash. A duplicate counts as its
  ///   first occurrence.
  package init(_ paths: [String]) {
    for (index, path) in paths.enumerated() { insert(path, index) }
  }

  private mutating func insert(_ path: String, _ index: Int) {
    var node = 0
    for segment in path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    ) {
      let segment = Array(segment)
      let known =
        segment.first == UInt8(ascii: "{")
        ? nodes[node].nextOfAny : nodes[node].next.first { $0.segment == segment }?.node
      if let known {
        node = known
        continue
      }
      nodes.append(Node())
      let new = nodes.count - 1
      if segment.first == UInt8(ascii: "{") {
        nodes[node].nextOfAny = new
      } else {
        nodes[node].next.append((segment, new))
      }
      node = new
    }
    if nodes[node].path == nil { nodes[node].path = index }
  }

  /// The index of the known path that a path matches; nil where it matches none.
  ///
  /// A query after the path is ignored.
  package func index(of path: String) -> Int? {
    path.utf8.withContiguousStorageIfAvailable { find(UnsafeRawBufferPointer($0)) }
      ?? Array(path.utf8).withUnsafeBytes { find($0) }
  }

  private func find(_ path: UnsafeRawBufferPointer) -> Int? {
    let end = path.firstIndex(of: UInt8(ascii: "?")) ?? path.count
    guard end > 0, path[0] == UInt8(ascii: "/") else { return nil }
    return find(path, from: 1, to: end, at: 0)
  }

  private func find(
    _ path: UnsafeRawBufferPointer,
    from start: Int,
    to end: Int,
    at node: Int
  ) -> Int? {
    var stop = start
    while stop < end, path[stop] != UInt8(ascii: "/") { stop += 1 }
    let segment = UnsafeRawBufferPointer(rebasing: path[start..<stop])
    func goOn(at next: Int) -> Int? {
      stop < end ? find(path, from: stop + 1, to: end, at: next) : nodes[next].path
    }
    for (known, next) in nodes[node].next where known.elementsEqual(segment) {
      if let found = goOn(at: next) { return found }
    }
    return nodes[node].nextOfAny.flatMap(goOn)
  }
}
