public import HTTPExchange

extension MicroHTTPServer {
  /// Limits and deadlines of a server (S4, S6).
  public struct Options: Sendable {
    /// How many connections may be open at once.
    public var connectionLimit = 1024
    /// How many threads serve the connections.
    public var threadCount = 2
    /// How long a request body may be; a longer one is answered with 413.
    public var bodyLimitBytes = 64 * 1024
    /// A body limit for this request above `bodyLimitBytes`, if it has one; a body of more than
    /// `bodyLimitBytes` goes to a temporary file.
    public var spooledBodyLimitBytes: @Sendable (Request) -> Int? = { _ in nil }
    /// How much of a body that is too long is read and dropped, so that the client gets to read the 413.
    public var swallowLimitBytes = 2 * 1024 * 1024
    /// The memory of one connection, which holds the head of a request and that of its answer.
    public var headerMemoryBytes = 96 * 1024
    /// How long the head of a request may be; a longer one is answered with 431.
    ///
    /// The rest of `headerMemoryBytes` has to hold the answer's head with its cookies: if that does not
    /// fit, the library closes the connection without an answer.
    public var headLimitBytes = 40 * 1024
    /// From accepting a connection (or from the request line on a kept one) to the end of the head.
    public var headDeadline = Duration.seconds(5)
    /// From the last answer on a kept connection to the end of the next head.
    public var keptDeadline = Duration.seconds(30)
    /// From the end of the head to the end of the body.
    public var bodyDeadline = Duration.seconds(10)
    /// From the beginning of a request to the end of its body.
    public var requestDeadline = Duration.seconds(15)
    /// From an answer being ready until the client has taken all of it; for an answer in pieces, from
    /// each piece to the next.
    public var answerDeadline = Duration.seconds(30)
    /// How long the handler may take for this request; after that 504 is answered.
    public var handlerDeadline: @Sendable (Request) -> Duration = { _ in .seconds(15) }
    /// The certificate to serve https with; nil serves plain http.
    public var tls: TLS?
    /// Called for every connection that is cut, if set; on any thread and under a lock, so it must not
    /// wait.
    public var reportCut: (@Sendable (Cut) -> Void)?

    public init() {}

    /// Whether a body of so many bytes is too long for the request.
    func isTooLong(_ count: Int, for request: Request) -> Bool {
      // `spooledBodyLimitBytes` is called only for the few bodies that are long.
      count > bodyLimitBytes && count > spooledBodyLimitBytes(request) ?? bodyLimitBytes
    }
  }

  /// Why the server cut a connection.
  public enum Cut: String, CaseIterable, BitwiseCopyable, Sendable {
    /// To make room for others: unfinished requests go before resting connections, and a request whose
    /// client has gone goes in any case.
    case room
    /// A head or a body did not arrive in time, or an answer was not taken in time.
    case deadline
    /// No further request came after an answer, which is how most connections end.
    case idle
  }

  /// A certificate and its key.
  public struct TLS: Sendable, CustomStringConvertible {
    /// The certificate chain, PEM.
    public var certificate: String
    /// The private key, PEM, not encrypted.
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }

    public var description: String { "<certificate and key>" }
  }
}
