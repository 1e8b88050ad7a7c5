import HTTPExchange
import HTTPTypes
import TestSupport

extension ScriptedTransport {
  /// What was asked, as `POST /v1/… form`.
  var calls: [String] { requests.map(\.summary) }
}

extension Request {
  /// Method, target and body in a line, for assertions.
  var summary: String {
    let body = String(decoding: body, as: UTF8.self)
    return "\(method.rawValue) \(target)" + (body.isEmpty ? "" : " \(body)")
  }
}

extension Response {
  /// A success, as <doc:ClerkTransport#Answers> wraps it.
  static func enveloped(
    _ response: String,
    client: String = "null",
    token: String? = nil
  ) -> Response {
    var fields = HTTPFields()
    fields[.authorization] = token
    return .json(#"{"response": \#(response), "client": \#(client)}"#, headerFields: fields)
  }

  /// An error, as <doc:ClerkTransport#Error-envelope> wraps it.
  static func errors(
    _ items: String...,
    status: Int,
    client: String? = nil,
    headerFields: HTTPFields = [:]
  ) -> Response {
    let meta = client.map { #", "meta": {"client": \#($0)}"# } ?? ""
    return .json(
      #"{"errors": [\#(items.joined(separator: ","))], "clerk_trace_id": "trace_1"\#(meta)}"#,
      status: HTTPResponse.Status(code: status),
      headerFields: headerFields
    )
  }

  /// One error with a code and, if it has one, a parameter.
  static func error(
    _ code: String,
    _ parameter: String? = nil,
    status: Int = 422,
    client: String? = nil,
    headerFields: HTTPFields = [:]
  ) -> Response {
    let meta = parameter.map { #", "meta": {"param_name": "\#($0)"}"# } ?? ""
    return .errors(
      #"{"code": "\#(code)", "message": "short", "long_message": "long"\#(meta)}"#,
      status: status,
      client: client,
      headerFields: headerFields
    )
  }
}
