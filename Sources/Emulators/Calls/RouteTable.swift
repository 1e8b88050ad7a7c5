internal import Foundation
internal import HTTPTypes

/// Finds the operations of an API by method and path; the raw value of each is its pattern, such as
/// `POST /v1/client/sign_ins/{id}/attempt_first_factor`.
struct RouteTable<Operation: CaseIterable & RawRepresentable & Sendable>: Sendable
where Operation.RawValue == String {
  /// An operation, and the path segments that match the names in braces, in order and decoded: ids
  /// and names of templates may contain any characters.
  struct Match: Sendable {
    var operation: Operation
    var parameters: [String]
  }

  private struct Route: Sendable {
    var operation: Operation
    var method: String
    var segments: [Substring]

    init(_ operation: Operation) {
      self.operation = operation
      let words = operation.rawValue.split(separator: " ")
      method = words.first.map(String.init) ?? ""
      segments = RouteTable.segments(of: words.last ?? "")
    }

    /// The segments that match the names in braces; nil if the path is not of this route.
    func parameters(in path: [Substring]) -> [String]? {
      guard path.count == segments.count else { return nil }
      var parameters: [String] = []
      for (pattern, segment) in zip(segments, path) {
        if pattern.first == "{" {
          guard !segment.isEmpty else { return nil }
          parameters.append(segment.removingPercentEncoding ?? String(segment))
        } else if pattern != segment {
          return nil
        }
      }
      return parameters
    }
  }

  private let routes = Operation.allCases.map(Route.init)

  /// - Returns: Nil where no operation has that method and path.
  func match(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> Match? {
    let path = Self.segments(of: Substring(path))
    for route in routes where route.method == method.rawValue {
      if let parameters = route.parameters(in: path) {
        return Match(operation: route.operation, parameters: parameters)
      }
    }
    return nil
  }

  /// The methods for which the path has an operation.
  func methods(at path: some StringProtocol) -> [HTTPRequest.Method] {
    let path = Self.segments(of: Substring(path))
    return routes.filter { $0.parameters(in: path) != nil }
      .compactMap { HTTPRequest.Method(rawValue: $0.method) }
  }

  private static func segments(of path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }
}
