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
  /// The number of the visit that it belongs to; nil if none is known.
  public var visit: Int?
  /// What was answered; nil for a call from another process, and while the page is being made.
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

  /// The duration of all calls together.
  public var duration: Duration { calls.reduce(.zero) { $0 + $1.duration } }
}

/// The input and answer of a page request, with secrets masked, so that it can be passed on.
public struct PageAnswer: Sendable, Hashable {
  /// An error that the page shows.
  public struct Message: Sendable, Hashable {
    public var code: String
    /// The field that it belongs to; nil for the banner.
    public var field: String?
    /// The details that the auth API gave, under its names; null if it gave none.
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
  /// The page that was sent; nil if the answer leads elsewhere.
  public var page: String?
  /// The address that the answer leads to, without query and fragment.
  public var location: String?
  public var messages: [Message]
  /// The codes of the notices that the page shows.
  public var notices: [String]
  /// Why the return address in the query is not followed, as a code; nil if it is, or if there is none.
  public var droppedReturnAddress: String?
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
    droppedReturnAddress: String? = nil,
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
    self.droppedReturnAddress = droppedReturnAddress
    self.byteCount = byteCount
    self.duration = duration
  }

  /// Masks the secrets in the query and the form.
  public init(
    query: FormData,
    form: FormData,
    status: Int,
    page: String?,
    location: String?,
    messages: [Message],
    notices: [String],
    droppedReturnAddress: String? = nil,
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
      droppedReturnAddress: droppedReturnAddress,
      byteCount: byteCount,
      duration: duration
    )
  }
}
