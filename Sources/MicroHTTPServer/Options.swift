public import HTTPExchange

extension MicroHTTPServer {
  /// Limits and deadlines of a server (S4, S6).
  public struct Options: Sendable {
    /// How many connections may be open at once.
    public var connectionLimit = 1024
    /// How many threads serve them.
    public var threadCount = 2
    /// How long a request body may be; a longer one is answered with 413.
    public var bodyLimitBytes = 64 * 1024
    /// How long the body of this request may be, where that is more than `bodyLimitBytes`; what
    /// exceeds those goes to a temporary file.
    public var spooledBodyLimitBytes: @Sendable (Request) -> Int? = { _ in nil }
    /// How much of a body that is too long is read away, so that the 413 arrives.
    public var swallowLimitBytes = 2 * 1024 * 1024
    /// Memory of one connection, for the head of a request and the head of its answer.
    public var headerMemoryBytes = 96 * 1024
    /// How long the head of a request may be; a longer one is answered with 431.
    ///
    /// What it leaves of `headerMemoryBytes` has to hold the answer's head, cookies and all: the
    /// library closes the connection without a word where that does not fit.
    public var headLimitBytes = 40 * 1024
    /// From accepting a connection (or from the request line on a kept one) to the end of the head.
    public var headDeadline = Duration.seconds(5)
    /// From the last answer on a kept connection to the end of the next head.
    public var keptDeadline = Duration.seconds(30)
    /// From the end of the head to the end of the body.
    public var bodyDeadline = Duration.seconds(10)
    /// From the beginning of a request to the end of its body.
    public var requestDeadline = Duration.seconds(15)
    /// From the moment that an answer is ready until the client has taken all of it; of an answer in
    /// pieces, from one piece to the next.
    public var answerDeadline = Duration.seconds(30)
    /// How long the handler may take for this request; after that 504 is answered.
    public var handlerDeadline: @Sendable (Request) -> Duration = { _ in .seconds(15) }
    /// Serves https where present.
    public var tls: TLS?
    /// Is told of every connection that is cut, from any thread and within a lock, so that it must not wait; nil
    /// where nobody counts them.
    public var reportCut: (@Sendable (Cut) -> Void)?

    public init() {}

    /// Whether the body of a request may not have so many bytes.
    func isTooLong(_ count: Int, for request: Request) -> Bool {
      // Few are long, and for the others nobody is asked.
      count > bodyLimitBytes && count > spooledBodyLimitBytes(request) ?? bodyLimitBytes
    }
  }

  /// Why the server ends a connection whose client has not.
  public enum Cut: String, CaseIterable, BitwiseCopyable, Sendable {
    /// To make room for others: an unfinished request before a connection that rests.
    case room
    /// A head or a body has not come in time, or an answer was not taken.
    case deadline
    /// Nothing more was asked for after an answer, which is how most connections end.
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
