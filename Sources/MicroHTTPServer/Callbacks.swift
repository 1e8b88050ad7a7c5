internal import CMicroHTTPD
internal import Glibc
internal import HTTPExchange

/// The functions that the library calls, which deal with its pointers; the logic is in `Daemon`.
///
/// `closure` is the daemon, unretained: the running library holds its own reference.
/// The library never passes null where these unwrap; if it did, there would be nothing to serve.
enum Callbacks {
  static let connection: MHD_NotifyConnectionCallback = { closure, pointer, context, event in
    guard let closure, let pointer, let context else { return }
    let daemon = Unmanaged<Daemon>.fromOpaque(closure).takeUnretainedValue()
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
      let now = ContinuousClock.now
      let connection = Connection(
        descriptor: cmicrohttpd_descriptor(pointer),
        peerAddress: cmicrohttpd_peer(pointer).flatMap { SocketAddress.text(of: $0) },
        progress: ConnectionProgress(acceptedAt: now, deadlines: daemon.deadlines)
      )
      daemon.presentCertificate(on: pointer)
      context.pointee = Unmanaged.passRetained(connection).toOpaque()
      daemon.insert(connection, at: now)
    case .CONNECTION_NOTIFY_CLOSED:
      guard let raw = context.pointee else { return }
      context.pointee = nil
      let connection = Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue()
      daemon.connections.remove(connection)
      daemon.slots.giveBack(connection.descriptor)
    @unknown default:
      return
    }
  }

  /// Called once the request line is read: begins the exchange with the target, before anything decodes it.
  static let target: cmicrohttpd_target_callback = { closure, target, pointer in
    guard let closure, let target, let pointer,
      let context = cmicrohttpd_socket_context(pointer)
    else { return nil }
    let daemon = Unmanaged<Daemon>.fromOpaque(closure).takeUnretainedValue()
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    connection.advance(.requestLine, deadlines: daemon.deadlines)
    let exchange = Exchange(
      target: bytes(of: target),
      connection: connection,
      gauge: daemon.exchangeGauge
    )
    // The library would split the query into arguments, which nobody reads, and about a thousand of
    // which use up its memory.
    if let mark = strchr(target, CInt(UInt8(ascii: "?"))) { mark[1] = 0 }
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// Decodes nothing: the library would cut the path at `%00` and turn `%2F` into a slash.
  ///
  /// The server reads neither the library's path nor its arguments, but an undecoded path cannot be
  /// mistaken for the target (S3).
  static let unescape: cmicrohttpd_unescape_callback = { _, _, text in
    text.map { strlen($0) } ?? 0
  }

  static let access: MHD_AccessHandlerCallback = {
    closure,
    pointer,
    path,
    method,
    version,
    upload,
    uploadSize,
    slot in
    guard let closure, let pointer, let path, let method, let version, let uploadSize,
      let raw = slot?.pointee
    else { return .NO }
    let daemon = Unmanaged<Daemon>.fromOpaque(closure).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
    if case .requestLine(let target) = exchange.intake {
      var lines = HeadLines(behind: version, after: exchange.connection.lastHead)
      withUnsafeMutablePointer(to: &lines) { lines in
        _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, collect, lines)
      }
      let headCount = cmicrohttpd_head_count(pointer)
      let head = RequestHead(
        method: bytes(of: method),
        isMethodWhole: isWhole(method, before: path, inHeadOf: headCount),
        target: target,
        // The library cuts the request line in place, so the version directly follows the target
        // unless there was a NUL in it.
        isTargetWhole: version - path == target.count + 1,
        version: bytes(of: version),
        fields: lines.fields,
        isAllFields: lines.isAll(before: method + headCount),
        peerAddress: exchange.connection.peerAddress
      )
      return daemon.readHead(head, of: exchange, on: pointer)
    }
    guard uploadSize.pointee == 0 else {
      let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      uploadSize.pointee = 0
      return daemon.readBody(bytes, of: exchange)
    }
    return daemon.proceed(with: exchange, on: pointer)
  }

  static let completed: MHD_RequestCompletedCallback = { closure, _, slot, _ in
    guard let closure, let slot, let raw = slot.pointee else { return }
    slot.pointee = nil
    let daemon = Unmanaged<Daemon>.fromOpaque(closure).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue()
    daemon.end(exchange)
  }

  static let log: MHD_LogCallback = { closure, format, arguments in
    guard let closure, let format, let arguments else { return }
    let daemon = Unmanaged<Daemon>.fromOpaque(closure).takeUnretainedValue()
    let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      vsnprintf(buffer.baseAddress, buffer.count, format, arguments)
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    // Logged for every client that goes away or is cut: an attacker could cause thousands of these.
    guard !line.hasPrefix("Connection socket is closed") else { return }
    let text = line.unicodeScalars.prefix { $0 != "\n" }
    daemon.log("libmicrohttpd: \(String(String.UnicodeScalarView(text)))")
  }

  // MARK: - Bytes out of the library

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Whether a method ends where the library has cut it off: the library writes NUL over the first blank after it and
  /// skips any others before the target.
  private static func isWhole(
    _ method: UnsafePointer<CChar>,
    before target: UnsafePointer<CChar>,
    inHeadOf count: Int
  ) -> Bool {
    let end = method + strlen(method) + 1
    // If there is no target, the library points to an empty one of its own, outside the head.
    guard end <= target, target < method + count else { return false }
    return UnsafeRawBufferPointer(start: end, count: target - end)
      .allSatisfy { $0 == UInt8(ascii: " ") }
  }

  private static let collect: MHD_KeyValueIteratorN = {
    closure,
    _,
    name,
    nameCount,
    value,
    valueCount in
    guard let closure, let name else { return .NO }
    closure.assumingMemoryBound(to: HeadLines.self).pointee.append(
      name: UnsafeRawBufferPointer(start: name, count: nameCount),
      value: UnsafeRawBufferPointer(start: value, count: valueCount),
      isOneLine: cmicrohttpd_is_one_line(name, nameCount, value, valueCount),
      from: name,
      to: value.map { $0 + valueCount } ?? name + nameCount
    )
    return .YES
  }
}

/// The lines of a head as they lie in the library's memory.
///
/// The library mistakes a line that begins with a colon or NUL for the empty line that ends the head,
/// and drops what follows a NUL within a line: what it leaves unread, another reader could take for a
/// request or a field. So the fields must follow each other with only line ends between them, which
/// the library has overwritten with one NUL (for a bare line feed) or two. A lone colon before a bare
/// line feed, after lines that end in CRLF, cannot be told from a line end.
private struct HeadLines {
  /// Room for the lines that a browser sends.
  private static let usualCount = 16

  private(set) var fields: [RequestHead.Field] = []
  /// The connection's previous head.
  private let last: LastHead?
  /// The end of the last line, before its line end.
  private var end: UnsafePointer<CChar>
  /// The length of the line ends; nil before the first.
  private var lineEndCount: Int?
  private var hasGap = false

  /// - Parameters:
  ///   - version: The last part of the request line.
  ///   - last: The connection's previous head.
  init(behind version: UnsafePointer<CChar>, after last: LastHead?) {
    end = version + strlen(version)
    self.last = last
    fields.reserveCapacity(Self.usualCount)
  }

  mutating func append(
    name: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    isOneLine: Bool,
    from start: UnsafePointer<CChar>,
    to end: UnsafePointer<CChar>
  ) {
    let count = start - self.end
    if !(1...2).contains(count) || count != lineEndCount ?? count { hasGap = true }
    lineEndCount = count
    self.end = end
    let line =
      last?.line(at: fields.count, name: name, value: value)
      ?? FieldLine(name: Array(name), value: Array(value))
    fields.append(RequestHead.Field(line: line, isOneLine: isOneLine))
  }

  /// Whether only the closing empty line is left before the end of the head.
  func isAll(before headEnd: UnsafePointer<CChar>) -> Bool {
    let count = headEnd - end
    return !hasGap && (lineEndCount.map { count == 2 * $0 } ?? (count == 2 || count == 4))
  }
}
