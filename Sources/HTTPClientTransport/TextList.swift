internal import CCurl

/// A list of texts as libcurl takes them.
///
/// Whoever sets it as an option keeps it as long as the option stands.
final class TextList {
  private let curl: CurlLibrary
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?
  /// Whether a text was left out, for want of memory.
  private(set) var isComplete = true

  init(_ curl: CurlLibrary) { self.curl = curl }

  deinit { curl.slist_free_all(pointer) }

  func append(_ text: String) {
    guard let longer = curl.slist_append(pointer, text) else {
      isComplete = false
      return
    }
    pointer = longer
  }
}
