internal import CCurl

/// libcurl's handle for one transfer at a time.
///
/// Options of the destination are set once; options of a call are set anew for each, so that nothing
/// of one call remains for the next.
final class EasyHandle {
  let curl: CurlLibrary
  let pointer: OpaquePointer
  /// The lists that options refer to, by option.
  private var lists: [UInt32: TextList] = [:]
  /// The first option that libcurl refused, without which no call may be made; nil as long as it
  /// accepts them all.
  private(set) var fault: Fault?

  /// - Returns: Nil if there is no memory.
  init?(_ curl: CurlLibrary) {
    guard let pointer = curl.easy_init() else { return nil }
    self.curl = curl
    self.pointer = pointer
  }

  deinit { curl.easy_cleanup(pointer) }

  func set(_ option: CURLoption, _ number: Int) {
    note(ccurl_set_number(curl, pointer, option, number), of: option)
  }

  func set(_ option: CURLoption, _ text: String?) {
    note(ccurl_set_text(curl, pointer, option, text), of: option)
  }

  func set(_ option: CURLoption, _ list: TextList) {
    note(ccurl_set_list(curl, pointer, option, list.pointer), of: option)
    lists[option.rawValue] = list
    if !list.isComplete { fault = fault ?? .notPrepared(option: nil) }
  }

  /// The body of a request, which libcurl copies.
  func setBody(_ body: [UInt8]) {
    note(
      ccurl_set_offset(curl, pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
      of: CURLOPT_POSTFIELDSIZE_LARGE
    )
    body.withUnsafeBytes { bytes in
      // An empty array may have no address, and none would mean a body that is read by a function.
      note(
        bytes.baseAddress.map { ccurl_set_body(curl, pointer, $0) }
          ?? ccurl_set_body(curl, pointer, ""),
        of: CURLOPT_COPYPOSTFIELDS
      )
    }
  }

  /// Sets the functions that are called during a transfer, and their argument.
  func call(
    head: ccurl_data_callback,
    body: ccurl_data_callback,
    beforeRequest: curl_prereq_callback,
    closure: UnsafeMutableRawPointer
  ) {
    note(
      ccurl_set_data_callbacks(curl, pointer, head, body, closure),
      of: CURLOPT_WRITEFUNCTION
    )
    note(
      ccurl_set_before_request(curl, pointer, beforeRequest, closure),
      of: CURLOPT_PREREQFUNCTION
    )
  }

  private func note(_ code: CURLcode, of option: CURLoption) {
    guard code != CURLE_OK, fault == nil else { return }
    fault = .notPrepared(option: code == CURLE_OUT_OF_MEMORY ? nil : option.rawValue)
  }

  /// One of libcurl's figures about the last transfer; 0 if it has none.
  func number(_ info: CURLINFO) -> Int { ccurl_number(curl, pointer, info) }
}
