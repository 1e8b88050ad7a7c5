internal import Glibc
internal import HTTPExchange
internal import HTTPTypes

/// One line of a head, and the header field that it was read as.
///
/// Most of a client's lines are the same in every request, and are read once per connection.
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

  /// The line's share of the head, including its colon and the blank after it.
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
    // The library does not trim the value: it would miss the encoding, and wait for bytes that never come.
    if name == .transferEncoding, value.last?.isHTTPBlank ?? false {
      throw .transferEncodingUnknown
    }
    // A value that is not UTF-8 is kept byte for byte.
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
