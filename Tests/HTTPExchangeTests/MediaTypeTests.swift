import HTTPExchange
import HTTPTypes
import Testing

@Suite("The media type of a request's body")
struct MediaTypeTests {
  private static let form = "application/x-www-form-urlencoded"

  private static func request(_ type: String?) -> Request {
    var request = Request(method: .post, target: "/")
    request.headerFields[.contentType] = type
    return request
  }

  @Test(
    "case, parameters and blanks around it do not count",
    arguments: [
      form, "\(form); charset=utf-8", "\(form);charset=utf-8", "Application/X-WWW-Form-URLEncoded",
      "\t \(form) ;q",
    ]
  )
  func forms(type: String) {
    #expect(Self.request(type).mediaType == Self.form)
    #expect(Self.request(type).isForm)
  }

  @Test(
    "any other type is not a form",
    arguments: [
      nil, "", " ", ";", "; \(form)", "text/plain", "\(form)-2",
      "application/x-www-form urlencoded",
      "multipart/form-data; boundary=\(form)", "\(form), \(form)",
    ]
  )
  func others(type: String?) {
    #expect(!Self.request(type).isForm)
  }

  @Test("a type that is given twice is not used")
  func twice() {
    var request = Self.request(Self.form)
    request.headerFields.append(HTTPField(name: .contentType, value: Self.form))
    #expect(!request.isForm)
  }
}
