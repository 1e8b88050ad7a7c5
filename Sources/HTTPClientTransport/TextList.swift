internal import CCurl

/// A list of texts in libcurl's form.
///
/// Must be kept for as long as an option refers to it.
final class TextList {
  private let curl: CurlLibrary
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?
  /// Whether every text was added; false once memory ran out.
  private(set) var isComplete = true

  init(_ curl: CurlLibrary) { self.curl = curl }

  deinit { curl.slist_free_all(pointer) }

  func append(_ text: String) {
    text.withCString { append($0) }
  }

  /// Appends the line of a header field.
  ///
  /// An empty value has a semicolon in place of the colon: libcurl takes a name with only a colon as one that is not
  /// to be sent. Built in one buffer, since every call has half a dozen.
  func append(fieldNamed name: String, _ value: String) {
    var line: [UInt8] = []
    line.reserveCapacity(name.utf8.count + value.utf8.count + 3)
    line += name.utf8
    line += (value.isEmpty ? ";" : ": ").utf8
    line += value.utf8
    line.append(0)
    line.withUnsafeBytes { bytes in
      if let text = bytes.bindMemory(to: CChar.self).baseAddress { append(text) }
    }
  }

  private func append(_ text: UnsafePointer<CChar>) {
    guard let longer = curl.slist_append(pointer, text) else {
      isComplete = false
      return
    }
    pointer = longer
  }
}
