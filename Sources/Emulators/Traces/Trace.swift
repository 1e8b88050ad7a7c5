public import Foundation
public import HTTPExchange

/// One page request with the API calls that it made, or one call that came from elsewhere.
public struct Trace: Sendable, Hashable {
  /// The numbers that name traces.
  public static let numbers = 1...1_000_000_000_000

  /// Later ones have greater numbers.
  public var number: Int
  /// By the world's clock.
  public var startedAt: Date
  /// Nil for a call from another process.
  public var page: PageRequest?
  /// Which visit of the world it belongs to; nil where none is known.
  public var visit: Int?
  /// What went out; nil for a call from another process, and while the page is being made.
  public var answer: PageAnswer?
  public var calls: [TracedCall]

  public init(
    number: Int,
    startedAt: Date,
    page: PageRequest?,
    visit: Int? = nil,
    answer: PageAnswer? = nil,
    calls: [TracedCall]
  ) {
    self.number = number
    self.startedAt = startedAt
    self.page = page
    self.visit = visit
    self.answer = answer
    self.calls = calls
  }

  public var id: String { "trace_\(number)" }

  /// That of the calls.
  public var duration: Duration { calls.reduce(.zero) { $0 + $1.duration } }
}

/// What was sent to a page, and what went out: masked, it can be passed on.
public struct PageAnswer: Sendable, Hashable {
  /// An error that the page tells.
  public struct Message: Sendable, Hashable {
    public var code: String
    /// The field at which it stands; nil for the banner.
    public var field: String?
    /// What the auth API said, under its names; null where it said nothing.
    public var detail: JSON

    public init(code: String, field: String?, detail: JSON) {
      self.code = code
      self.field = field
      self.detail = detail
    }
  }

  /// The query, secrets masked.
  public var query: [TracedCall.Parameter]
  /// The form as it was posted, secrets masked.
  public var form: [TracedCall.Parameter]
  public var status: Int
  /// The page that went out; nil where the answer leads elsewhere.
  public var page: String?
  /// Where it leads, without a query.
  public var location: String?
  public var messages: [Message]
  /// The codes of the notices that the page tells.
  public var notices: [String]
  /// How long the answer is, in bytes.
  public var byteCount: Int
  /// From the request to the answer.
  public var duration: Duration

  public init(
    query: [TracedCall.Parameter] = [],
    form: [TracedCall.Parameter] = [],
    status: Int,
    page: String?,
    location: String?,
    messages: [Message] = [],
    notices: [String] = [],
    byteCount: Int,
    duration: Duration
  ) {
    self.query = query
    self.form = form
    self.status = status
    self.page = page
    self.location = location.map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    self.messages = messages
    self.notices = notices
    self.byteCount = byteCount
    self.duration = duration
  }

  /// What was sent and answered; secrets are masked.
  public init(
    query: FormData,
    form: FormData,
    status: Int,
    page: String?,
    location: String?,
    messages: [Message],
    notices: [String],
    byteCount: Int,
    duration: Duration
  ) {
    self.init(
      query: TraceSecrets.masked(query),
      form: TraceSecrets.masked(form),
      status: status,
      page: page,
      location: location,
      messages: messages,
      notices: notices,
      byteCount: byteCount,
      duration: duration
    )
  }
}
