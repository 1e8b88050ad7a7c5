internal import CCurl

/// libcurl's handle for one transfer at a time.
///
/// What concerns the destination is set once; what concerns a call is set anew for each, so that
/// nothing of one call is left for the next.
final class EasyHandle {
  let curl: CurlLibrary
  let pointer: OpaquePointer
  /// What the options refer to.
  private var lists: [UInt32: TextList] = [:]
  /// Whether libcurl has taken every option so far.
  private(set) var isSound = true

  /// - Returns: nil where there is no memory.
  init?(_ curl: CurlLibrary) {
    guard let pointer = curl.easy_init() else { return nil }
    self.curl = curl
    self.pointer = pointer
  }

  deinit { curl.easy_cleanup(pointer) }

  func set(_ option: CURLoption, _ number: Int) {
    note(ccurl_set_number(curl, pointer, option, number))
  }

  func set(_ option: CURLoption, _ text: String?) {
    note(ccurl_set_text(curl, pointer, option, text))
  }

  func set(_ option: CURLoption, _ list: TextList) {
    note(ccurl_set_list(curl, pointer, option, list.pointer))
    lists[option.rawValue] = list
    isSound = isSound && list.isComplete
  }

  /// The body of a request, which libcurl copies.
  func setBody(_ body: [UInt8]) {
    note(ccurl_set_offset(curl, pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
    body.withUnsafeBytes { bytes in
      // An empty array may have no address, and none would mean a body that is read by a function.
      note(
        bytes.baseAddress.map { ccurl_set_body(curl, pointer, $0) }
          ?? ccurl_set_body(curl, pointer, "")
      )
    }
  }

  /// Who is called, and with what, while a transfer is under way.
  func call(
    head: ccurl_data_callback,
    body: ccurl_data_callback,
    beforeRequest: curl_prereq_callback,
    closure: UnsafeMutableRawPointer
  ) {
    note(ccurl_set_data_callbacks(curl, pointer, head, body, closure))
    note(ccurl_set_before_request(curl, pointer, beforeRequest, closure))
  }

  private func note(_ code: CURLcode) {
    if code != CURLE_OK { isSound = false }
  }

  /// A number that libcurl knows of the last transfer; 0 where it knows none.
  func number(_ info: CURLINFO) -> Int { ccurl_number(curl, pointer, info) }
}
