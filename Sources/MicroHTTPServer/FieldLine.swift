internal import Glibc
internal import HTTPExchange
internal import HTTPTypes

/// One line of a head, and what is read in it.
///
/// Most of a client's lines are the same from one request to its next, and are read once for a connection.
final class FieldLine: Sendable {
  let name: [UInt8]
  let value: [UInt8]
  let reading: Result<HTTPField, MicroHTTPServer.Malformation>

  init(name: [UInt8], value: [UInt8]) {
    self.name = name
    self.value = value
    reading = Result { () throws(MicroHTTPServer.Malformation) in
      try Self.field(name: name, value: value)
    }
  }

  /// How much of a head it takes, its colon and the blank behind that included.
  var byteCount: Int { name.count + value.count + 2 }

  /// Whether the line is made of these bytes.
  func isMade(ofName name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
    self.name.isEqual(to: name) && self.value.isEqual(to: value)
  }

  private static func field(
    name bytes: [UInt8],
    value: [UInt8]
  ) throws(MicroHTTPServer.Malformation) -> HTTPField {
    guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else {
      throw .fieldNameIsNoToken
    }
    guard !value.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
      throw .fieldValueHasControls
    }
    // The library does not trim it: it takes this one for none, and waits for what does not come.
    if name == .transferEncoding, value.last?.isHTTPBlank ?? false {
      throw .transferEncodingUnknown
    }
    // Bytes of another encoding are kept as they are.
    return String(utf8: value).map { HTTPField(name: name, value: $0) }
      ?? HTTPField(name: name, value: value)
  }
}

extension [UInt8] {
  fileprivate func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { own in
      guard own.count == bytes.count, let start = own.baseAddress, let other = bytes.baseAddress
      else { return own.count == bytes.count }
      return memcmp(start, other, own.count) == 0
    }
  }
}
