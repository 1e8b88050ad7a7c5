internal import HTTPExchange
internal import HTTPTypes

extension Response {
  /// Redirects to that address with 303.
  static func seeOther(_ location: String, cookies: [String] = []) -> Response {
    var response = Response(
      status: .seeOther,
      headerFields: [
        .location: location, .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
      ],
      body: Array("See \(location)\n".utf8)
    )
    response.headerFields[values: .setCookie] = cookies
    return response
  }
}
