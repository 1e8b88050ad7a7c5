internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// An answer that says no: `{"errors": [{"code", "message"}]}`.
struct BackstageRefusal: Error, Hashable, Sendable {
  var status: Int
  var code: String
  var message: String
  var allowedMethods: [String] = []

  init(_ status: Int, _ code: String, _ message: String, allowedMethods: [String] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.allowedMethods = allowedMethods
  }

  static let notFound = Self(404, "not_found", "There is nothing at this address.")

  static func invalid(_ message: String) -> Self { Self(422, "invalid_value", message) }

  static func malformed(_ message: String) -> Self { Self(400, "malformed_request", message) }

  var response: Response {
    let body: JSON = ["errors": [["code": .string(code), "message": .string(message)]]]
    var response = Response.json(body, status: status)
    if !allowedMethods.isEmpty {
      response.headerFields[.allow] = allowedMethods.joined(separator: ", ")
    }
    return response
  }
}

extension Response {
  static func json(_ body: JSON, status: Int = 200) -> Response {
    .json(encoded: body.encoded, status: status)
  }

  static func json(encoded body: [UInt8], status: Int = 200) -> Response {
    Response(
      status: .init(code: status),
      headerFields: [.contentType: "application/json", .cacheControl: "no-store"],
      body: body
    )
  }

  static let noContent = Response(status: .noContent, headerFields: [.cacheControl: "no-store"])
}
