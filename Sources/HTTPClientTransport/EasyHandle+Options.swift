internal import CCurl
internal import HTTPExchange
internal import HTTPTypes

// MARK: - Once

extension EasyHandle {
  /// Where to connect, and what never happens there (S26, S27).
  func apply(_ destination: Destination) {
    set(CURLOPT_NOSIGNAL, 1)
    // Whoever waits for a name that does not come must not hold up the thread when it gives up.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_USERAGENT, destination.userAgent)
    set(CURLOPT_CONNECTTIMEOUT_MS, destination.limits.connectDeadline.milliseconds)
    // Seconds; shorter than servers keep a connection that rests, so that a request seldom meets
    // its end.
    set(CURLOPT_MAXAGE_CONN, 10)
    applyAddress(destination)
    applyTLS(destination.authorities)
  }

  private func applyAddress(_ destination: Destination) {
    let baseURL = destination.baseURL
    set(CURLOPT_URL, "\(baseURL.scheme)://\(baseURL.authority)/")
    // An empty text keeps libcurl from looking for variables.
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_PROXY, destination.proxy?.description ?? "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if baseURL.isLocalhostName {
      let addresses = TextList(curl)
      addresses.append("::127.0.0.1:")
      set(CURLOPT_CONNECT_TO, addresses)
    }
  }

  private func applyTLS(_ authorities: TrustedAuthorities) {
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let path = authorities.path {
      set(CURLOPT_CAINFO, path)
      set(CURLOPT_CAPATH, nil as String?)
    }
  }

  private func set(_ option: CURLoption, _ value: some RawRepresentable<UInt32>) {
    set(option, Int(value.rawValue))
  }
}

// MARK: - For each call

extension EasyHandle {
  /// What is asked.
  ///
  /// The URL stays the destination's whatever the target says: that stands in the request alone.
  func apply(_ request: Request, pathPrefix: String, timeout: Duration) {
    set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds))
    set(CURLOPT_REQUEST_TARGET, pathPrefix + request.target)
    // Whatever the last call's method was, this makes it GET with nothing to send.
    set(CURLOPT_HTTPGET, 1)
    if request.method == .head {
      set(CURLOPT_NOBODY, 1)
    } else if !request.body.isEmpty || Self.methodsWithBody.contains(request.method) {
      setBody(request.body)
    }
    let isPlain = [.get, .head, .post].contains(request.method)
    set(CURLOPT_CUSTOMREQUEST, isPlain ? nil : request.method.rawValue)
    set(CURLOPT_HTTPHEADER, lines(of: request.headerFields))
  }

  private static let methodsWithBody: [HTTPRequest.Method] = [.post, .put, .patch]

  /// The request's fields, and the names of those that libcurl would add and nobody asked for: a
  /// name without a value takes a line away.
  private func lines(of fields: HTTPFields) -> TextList {
    let lines = TextList(curl)
    for field in fields where !Self.ownFieldNames.contains(where: field.isNamed) {
      lines.append(fieldNamed: field.name.rawName, field.value)
    }
    lines.append("Expect:")
    if !fields.contains(.accept) { lines.append("Accept:") }
    if !fields.contains(.contentType) { lines.append("Content-Type:") }
    return lines
  }

  /// Those that frame a message or say whom it is for.
  // swift-format-ignore: NeverForceUnwrap
  private static let ownFieldNames: [HTTPField.Name] = [
    HTTPField.Name("Host")!, .connection, .contentLength, .transferEncoding, .acceptEncoding,
    .expect,
  ]
}

extension Duration {
  /// In whole milliseconds, the last one begun.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
