public import Emulators

/// How the pages tell each error of the API, found out by having it given to them.
public struct ErrorRehearsal: Sendable {
  /// What an error came to.
  public struct Shown: Sendable, Hashable {
    /// The page that told it.
    public var page: String
    public var status: Int
    /// At which field; nil is the banner.
    public var field: String?
    /// With `{time}` where the page tells a moment.
    public var words: String

    public init(page: String, status: Int, field: String?, words: String) {
      self.page = page
      self.status = status
      self.field = field
      self.words = words
    }
  }

  /// An error at the step where it is given.
  public struct Occasion: Sendable {
    /// As the page calls it.
    public var code: String
    /// Where a person stands, as the atlas calls it.
    public var state: String
    /// What they send there.
    public var input: [String: String]
    /// The fault, as a call takes it.
    public var fault: JSON
  }

  private let rehearse: @Sendable ([Occasion]) async -> [Shown?]
  private let found = FoundOnce<[Shown?]>()

  /// - Parameter rehearse: Has the errors given, one after another; nil for one that nothing told of.
  public init(_ rehearse: @escaping @Sendable ([Occasion]) async -> [Shown?]) {
    self.rehearse = rehearse
  }

  /// What the errors come to, in their order; found out once.
  ///
  /// Where nothing came of any of them, nobody could walk: the next who asks has it tried again.
  func shown(_ errors: [KnownError]) async -> [Shown?] {
    await found.value {
      await rehearse(
        errors.map { Occasion(code: $0.code, state: $0.state, input: $0.input, fault: $0.fault) }
      )
    } orAgainWhere: { shown in
      shown.allSatisfy { $0 == nil }
    }
  }
}

/// An error with what it came to.
struct RehearsedError {
  var error: KnownError
  var shown: ErrorRehearsal.Shown?

  var json: JSON {
    let state = error.state.split(separator: "/").map { JSON.string(String($0)) }
    let input = error.input.sorted { $0.key < $1.key }
    return [
      "code": .string(error.code), "status": .integer(Int64(error.status)),
      "parameter": .optional(error.parameter), "message": .optional(error.message),
      "long_message": .optional(error.longMessage), "words": .optional(shown?.words),
      "placement": shown.map { shown in
        [
          "page": .string(shown.page), "status": .integer(Int64(shown.status)),
          "field": .optional(shown.field),
        ]
      } ?? .null,
      "provoke": [
        "stand": ["page": state.first ?? .null, "state": state.last ?? .null],
        "fault": error.fault,
        "submit": .object(input.map { JSON.Member($0.key, .string($0.value)) }),
      ],
    ]
  }
}

extension ErrorRehearsal {
  func all(behind api: EmulatedAPI) async -> [RehearsedError] {
    let errors = KnownError.all(behind: api)
    return zip(errors, await shown(errors)).map { RehearsedError(error: $0, shown: $1) }
  }
}
