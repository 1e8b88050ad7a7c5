extension HTTPClientTransport {
  /// How long one request may take, and how much (S27).
  public struct Limits: Sendable {
    /// From the first attempt to connect until there is a connection.
    public var connectDeadline = Duration.seconds(2)
    /// From the call until the answer is complete.
    public var totalDeadline = Duration.seconds(8)
    /// How long an answer's body may be; compression is never asked for.
    public var answerLimitBytes = 1024 * 1024
    /// How long the lines before the body may be, including those of interim answers and trailers.
    public var headLimitBytes = 64 * 1024
    /// How many requests may be in flight at once.
    public var inFlightLimit = 64

    public init() {}
  }
}
