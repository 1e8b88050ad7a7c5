internal import CCurl
internal import HTTPExchange

/// One of libcurl's handles with its answer, used for one call after another.
///
/// It belongs to the thread of the event loop that made it. libcurl refers to it by its address
/// while the handle exists, that is: as long as it does itself.
final class Transfer {
  let easy: EasyHandle
  private(set) var callID: CallQueue.ID = 0
  private let destination: Destination
  private var answer: AnswerReader
  private var fault: Fault?
  /// How many times libcurl was about to send the request.
  private var beginningCount = 0

  /// - Throws: `Fault.notPrepared` if there is no memory, or libcurl lacks a required option.
  init(to destination: Destination, over curl: CurlLibrary) throws(Fault) {
    guard let easy = EasyHandle(curl) else { throw .notPrepared(option: nil) }
    self.easy = easy
    self.destination = destination
    answer = AnswerReader(destination.limits)
    easy.apply(destination)
    easy.call(
      head: readHead,
      body: readBody,
      beforeRequest: beforeRequest,
      closure: Unmanaged.passUnretained(self).toOpaque()
    )
    if let fault = easy.fault { throw fault }
  }

  /// Takes on a call, once the last one has been cleared.
  ///
  /// - Throws: `Fault.notPrepared` if libcurl refuses an option; the transfer is of no use then.
  func prepare(_ call: CallQueue.Call) throws(Fault) {
    callID = call.id
    easy.apply(
      call.request,
      pathPrefix: destination.baseURL.path,
      timeout: call.timeout
    )
    if let fault = easy.fault { throw fault }
  }

  /// Forgets the call.
  func clear() {
    answer = AnswerReader(destination.limits)
    fault = nil
    beginningCount = 0
  }

  /// The outcome of the call.
  ///
  /// - Parameter code: libcurl's result.
  /// - Returns: The answer, or the fault in full detail.
  func outcome(_ code: CURLcode) -> CallQueue.Outcome {
    if let fault { return .failure(fault) }
    guard code == CURLE_OK else { return .failure(Fault(evidence(code))) }
    return Result { () throws(Fault) in try answer.response() }
  }

  private func evidence(_ code: CURLcode) -> Fault.Evidence {
    Fault.Evidence(
      code: code,
      systemError: CInt(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO)),
      verification: easy.number(CURLINFO_SSL_VERIFYRESULT),
      tunnelStatus: easy.number(CURLINFO_HTTP_CONNECTCODE),
      hasLeft: beginningCount > 0,
      hasHead: answer.isHeadComplete
    )
  }

  /// Reads a part of the answer, or notes why it could not be read.
  ///
  /// - Returns: Whether the transfer goes on.
  fileprivate func read(_ step: (inout AnswerReader) throws(Fault) -> Void) -> Bool {
    do {
      try step(&answer)
      return true
    } catch {
      fault = error
      return false
    }
  }

  /// Whether a request may be sent, which is only once: libcurl would send it again when a kept
  /// connection turns out to be closed, but it may have been carried out by then (S27).
  fileprivate func mayBegin() -> Bool {
    beginningCount += 1
    guard beginningCount > 1 else { return true }
    fault = .connectionLost
    return false
  }
}

// MARK: - What libcurl calls, within `curl_multi_perform` and so on the event loop's thread

extension Transfer {
  fileprivate static func at(_ closure: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged.fromOpaque(closure).takeUnretainedValue()
  }
}

private let readHead: ccurl_data_callback = { bytes, size, count, closure in
  guard let closure else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  let goesOn = Transfer.at(closure).read { answer throws(Fault) in try answer.readHeadLine(line) }
  return goesOn ? line.count : 0
}

private let readBody: ccurl_data_callback = { bytes, size, count, closure in
  guard let closure else { return 0 }
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  let goesOn = Transfer.at(closure).read { answer throws(Fault) in try answer.readBody(part) }
  return goesOn ? part.count : 0
}

private let beforeRequest: curl_prereq_callback = { closure, _, _, _, _ in
  guard let closure else { return CInt(CURL_PREREQFUNC_ABORT) }
  return CInt(Transfer.at(closure).mayBegin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
}
