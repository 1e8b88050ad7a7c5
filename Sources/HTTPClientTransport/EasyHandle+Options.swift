internal import CCurl
internal import HTTPExchange
internal import HTTPTypes

// MARK: - Once

extension EasyHandle {
  /// Sets where to connect and what is never done there (S26, S27).
  func apply(_ destination: Destination) {
    set(CURLOPT_NOSIGNAL, 1)
    // A name lookup that is still running must not hold up the thread when its transfer ends.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_USERAGENT, destination.userAgent)
    set(CURLOPT_CONNECTTIMEOUT_MS, destination.limits.connectDeadline.milliseconds)
    // Seconds; shorter than servers keep an idle connection, so that a request rarely meets one that
    // is just being closed.
    set(CURLOPT_MAXAGE_CONN, 10)
    applyAddress(destination)
    applyTLS(destination.authorities)
  }

  private func applyAddress(_ destination: Destination) {
    let baseURL = destination.baseURL
    set(CURLOPT_URL, "\(baseURL.scheme)://\(baseURL.authority)/")
    // An empty text keeps libcurl from reading environment variables.
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
  /// Sets the request.
  ///
  /// The URL stays the destination's whatever the target is: the target only goes into the request line.
  func apply(_ request: Request, pathPrefix: String, timeout: Duration) {
    set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds))
    set(CURLOPT_REQUEST_TARGET, pathPrefix + request.target)
    // Whatever the last call's method was, this resets it to GET without a body.
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

  /// The request's fields, and lines that remove those that libcurl would add unasked: a name without
  /// a value removes a field.
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

  /// The fields that frame a message or say whom it is for.
  // swift-format-ignore: NeverForceUnwrap
  private static let ownFieldNames: [HTTPField.Name] = [
    HTTPField.Name("Host")!, .connection, .contentLength, .transferEncoding, .acceptEncoding,
    .expect,
  ]
}

extension Duration {
  /// In whole milliseconds, rounded up.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
