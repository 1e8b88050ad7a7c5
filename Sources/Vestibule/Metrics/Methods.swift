internal import HTTPTypes

/// A method as it is counted: those in use here separately, all others together.
enum CountedMethod: String, CaseIterable, BitwiseCopyable, Sendable {
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
}
