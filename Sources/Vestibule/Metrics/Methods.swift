internal import HTTPTypes

/// A method as it is counted: those that are asked for here, and all others as one.
enum CountedMethod: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  case other

  init(_ method: HTTPRequest.Method) {
    self =
      switch method {
      case .get: .get
      case .head: .head
      case .post: .post
      case .put: .put
      case .patch: .patch
      case .delete: .delete
      case .options: .options
      default: .other
      }
  }

  static let count = allCases.count

  var place: Int {
    switch self {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .patch: 4
    case .delete: 5
    case .options: 6
    case .other: 7
    }
  }
}
