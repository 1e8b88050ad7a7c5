internal import HTTPExchange
internal import HTTPTypes

/// A request's head as it came from the socket, with nothing in it trusted yet.
struct RequestHead {
  struct Field {
    var line: FieldLine
    /// Whether it was a single line; the library appends a folded line to the *name*.
    var isOneLine = true
  }

  /// The method; the library cuts it off at a NUL, in which case `isMethodWhole` is false.
  var method: [UInt8]
  /// Whether there were only blanks between `method` and the target.
  var isMethodWhole = true
  /// The raw target; the library cuts it off at a NUL, in which case `isTargetWhole` is false.
  var target: [UInt8]
  /// Whether `target` is everything between method and version.
  var isTargetWhole: Bool
  /// `HTTP/1.1` or `HTTP/1.0`; the library serves no other.
  var version: [UInt8]
  var fields: [Field]
  /// Whether there were only line ends between the fields and after them.
  var isAllFields = true
  var peerAddress: String?
}

/// Where a body ends, as the head says.
enum BodyFraming: Equatable {
  case length(Int)
  case chunked
}

/// Header fields that leave only one way to read where the body ends.
struct FramedFields {
  var fields: HTTPFields
  /// Nil the first time that the lines arrive, since they may not come again.
  var reading: HeadReading?
  var body: BodyFraming
  /// Whether the client waits for a `100 Continue` before it sends the body.
  var expectsContinue: Bool
}

/// A request whose framing can be read in only one way, with its body still to come.
struct FramedRequest {
  var request: Request
  var body: BodyFraming
  /// Whether the client waits for a `100 Continue` before it sends the body.
  var expectsContinue: Bool
}

extension RequestHead {
  /// The bytes of the lines, without their ends.
  var byteCount: Int {
    fields.reduce(method.count + target.count + version.count + 2) { count, field in
      count + field.line.byteCount
    }
  }

  /// A request that says only how the client wants to be answered: the one thing that is believed of a malformed head.
  var wishes: Request {
    let accept = fields.map(\.line).filter { line in
      String(decoding: line.name, as: UTF8.self).lowercased() == "accept"
        && line.value.allSatisfy { (0x20...0x7E).contains($0) }
    }
    return Request(
      method: .get,
      target: "/",
      headerFields: HTTPFields(accept.map { HTTPField(name: .accept, value: $0.value) })
    )
  }
}

extension Request {
  /// The same request with only the fields that a refusal of its size needs.
  var withoutCargo: Request {
    var request = self
    request.headerFields = HTTPFields(
      [.host, .accept, .acceptLanguage].compactMap { name in
        headerFields[name].map { HTTPField(name: name, value: $0) }
      }
    )
    return request
  }
}

// MARK: - The guard (S1, S2, S3)

extension FramedRequest {
  /// Reads a head.
  ///
  /// The library's own parser accepts most of what is refused here, and would then run what an attacker
  /// hid behind the ambiguity as a second request.
  /// - Parameters:
  ///   - head: The head as it arrived.
  ///   - last: The connection's previous head; replaced by this one.
  /// - Throws: the first `Malformation` found.
  /// Source: RFC 9112, sections 3.2, 5.2 and 6.3; stricter in that only origin form is served.
  init(_ head: RequestHead, after last: inout LastHead?) throws(MicroHTTPServer.Malformation) {
    guard head.isMethodWhole,
      let method = HTTPRequest.Method(String(decoding: head.method, as: UTF8.self))
    else { throw .methodIsNoToken }
    let target = try Self.target(of: head)
    let framed: FramedFields
    if let known = last?.fields(of: head) {
      framed = known
    } else {
      framed = try FramedFields(of: head)
      last = LastHead(head, saying: framed)
    }
    body = framed.body
    expectsContinue = framed.expectsContinue
    request =
      if let reading = framed.reading {
        Request(
          method: method,
          target: target,
          reading: reading,
          peerAddress: head.peerAddress
        )
      } else {
        Request(
          method: method,
          target: target,
          headerFields: framed.fields,
          peerAddress: head.peerAddress
        )
      }
  }

  private static func target(
    of head: RequestHead
  ) throws(MicroHTTPServer.Malformation) -> String {
    let target = head.target
    guard head.isTargetWhole, target.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .targetHasForbiddenBytes
    }
    let slash = UInt8(ascii: "/")
    guard target.first == slash, target.dropFirst().first != slash else {
      throw .targetNotInOriginForm
    }
    return String(decoding: target, as: UTF8.self)
  }
}

extension FramedFields {
  /// Reads the lines of a head.
  /// - Throws: the first `Malformation` found.
  init(of head: RequestHead) throws(MicroHTTPServer.Malformation) {
    var fields: [HTTPField] = []
    fields.reserveCapacity(head.fields.count)
    for field in head.fields {
      guard field.isOneLine else { throw .fieldLineFolded }
      fields.append(try field.line.reading.get())
    }
    guard head.isAllFields else { throw .bytesBesideFields }
    self.fields = HTTPFields(fields)
    guard self.fields.values(of: .host).count == 1 else { throw .hostNotExactlyOne }
    body = try Self.framing(by: self.fields, version: head.version)
    let isContinueAskedFor = self.fields.values(of: .expect)
      .contains { $0.lowercased() == "100-continue" }
    // An HTTP/1.0 client is never sent a 100 (RFC 9110, section 10.1.1).
    expectsContinue = isContinueAskedFor && head.version == Self.newVersion
    // Once the library has sent the 100, it takes what follows the head for a body that has ended, and lets nobody
    // answer.
    guard !expectsContinue || body != .length(0) else { throw .continueWithoutBody }
  }

  private static let newVersion = Array("HTTP/1.1".utf8)

  private static func framing(
    by fields: HTTPFields,
    version: [UInt8]
  ) throws(MicroHTTPServer.Malformation) -> BodyFraming {
    let lengths = fields.values(of: .contentLength)
    let encodings = fields.values(of: .transferEncoding)
    guard lengths.isEmpty || encodings.isEmpty else { throw .lengthAndEncoding }
    guard lengths.count <= 1 else { throw .contentLengthRepeated }
    guard encodings.count <= 1 else { throw .transferEncodingRepeated }
    if let encoding = encodings.first {
      guard version == newVersion else { throw .transferEncodingInOldVersion }
      guard encoding == "chunked" else { throw .transferEncodingUnknown }
      return .chunked
    }
    guard let text = lengths.first else { return .length(0) }
    // `Int` alone would accept "+5".
    guard let length = Int(text), text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw .contentLengthIsNoNumber
    }
    return .length(length)
  }
}

extension MicroHTTPServer.Malformation: Error {}
