package import HTTPExchange
package import HTTPTypes
import Testing

extension Request {
  /// A call with a form, as clients send it: an empty one has no media type.
  package init(
    _ method: HTTPRequest.Method,
    _ target: String,
    form: FormData = [:],
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
  /// Its JSON body as that reader reads it; `empty` is what an answer without one means.
  package func read<Document>(
    by reader: ([UInt8]) -> Document?,
    empty: Document
  ) throws -> Document {
    body.isEmpty ? empty : try #require(reader(body))
  }
}
