internal import HTTPTypes

/// A response in as few bytes as it takes: thousands of them are remembered.
struct KeptResponse: Sendable {
  /// All but its header fields.
  private let rest: Response
  /// `name:value` and a line feed, which no header field can have, for each of them.
  private let headerLines: [UInt8]

  /// - Precondition: The body is whole: pieces can be taken once only.
  init(_ response: Response) {
    guard case .whole = response.content else {
      preconditionFailure("a body in pieces is not kept")
    }
    var rest = response
    rest.headerFields = [:]
    self.rest = rest
    var lines: [UInt8] = []
    lines.reserveCapacity(2_048)
    for field in response.headerFields {
      lines += field.name.rawName.utf8
      lines.append(UInt8(ascii: ":"))
      field.withUnsafeBytesOfValue { lines += $0 }
      lines.append(UInt8(ascii: "\n"))
    }
    // Copied, and so no longer than it has to be.
    headerLines = Array(lines[...])
  }

  /// In bytes, about.
  var size: Int { rest.body.count + headerLines.count + 512 }

  var response: Response {
    var response = rest
    for line in headerLines.split(separator: UInt8(ascii: "\n")) {
      let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
        continue
      }
      let value = String(decoding: line[colon...].dropFirst(), as: UTF8.self)
      response.headerFields.append(HTTPField(name: name, value: value))
    }
    return response
  }
}
