extension HTTPClientTransport {
  /// How long and how much one request may take (S27).
  public struct Limits: Sendable {
    /// From the first attempt to connect until there is a connection.
    public var connectDeadline = Duration.seconds(2)
    /// From the call until the answer is complete.
    public var totalDeadline = Duration.seconds(8)
    /// How long an answer's body may be; it is never compressed, since nobody asks for that.
    public var answerLimitBytes = 1024 * 1024
    /// How long the lines before the body may be, those of interim answers and of trailers included.
    public var headLimitBytes = 64 * 1024
    /// How many requests may be in flight at once.
    public var inFlightLimit = 64

    public init() {}
  }
}
