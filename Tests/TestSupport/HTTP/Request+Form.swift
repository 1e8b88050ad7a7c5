import Foundation
package import HTTPExchange
package import HTTPTypes

extension Request {
  /// A call with a form, as clients send it: an empty one has no media type.
  package init(
    _ method: HTTPRequest.Method,
    _ target: String,
    form: Form = [:],
    headerFields: HTTPFields = [:]
  ) {
    var fields = headerFields
    if !form.fields.isEmpty, fields[.contentType] == nil {
      fields[.contentType] = "application/x-www-form-urlencoded"
    }
    self.init(method: method, target: target, headerFields: fields, body: form.encoded)
  }
}

extension Response {
  /// Its JSON body, decoded; `empty` is what an answer without one stands for.
  package func decoded<Document: Decodable>(empty: Document) throws -> Document {
    body.isEmpty ? empty : try JSONDecoder().decode(Document.self, from: Data(body))
  }
}
