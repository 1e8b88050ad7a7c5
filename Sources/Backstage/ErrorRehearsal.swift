public import Emulators

/// How the pages show each error of the API, found out by provoking it.
public struct ErrorRehearsal: Sendable {
  /// How a page showed an error.
  public struct Shown: Sendable, Hashable {
    /// The page that showed it.
    public var page: String
    public var status: Int
    /// The field that it is shown at; nil is the banner.
    public var field: String?
    /// The wording, with `{time}` for any time in it.
    public var words: String

    public init(page: String, status: Int, field: String?, words: String) {
      self.page = page
      self.status = status
      self.field = field
      self.words = words
    }
  }

  /// An error, and the step at which to provoke it.
  public struct Occasion: Sendable {
    /// As the page calls it.
    public var code: String
    /// The state of the atlas in which to provoke it.
    public var state: String
    /// The form values to send there.
    public var input: [String: String]
    /// The fault, as a call takes it.
    public var fault: JSON
  }

  private let rehearse: @Sendable ([Occasion]) async -> [Shown?]
  private let found: FoundOnce<[Shown?]>

  /// - Parameters:
  ///   - version: Identifies the present state of the pages' files; nil if they are read only once.
  ///   - rehearse: Provokes the errors, one after another; nil for an error that no page showed.
  public init(
    over version: @escaping @Sendable () -> String?,
    _ rehearse: @escaping @Sendable ([Occasion]) async -> [Shown?]
  ) {
    self.rehearse = rehearse
    found = FoundOnce(for: version)
  }

  /// How the pages show the errors, in their order; determined once for each version of their
  /// files.
  ///
  /// If no page showed any of them, the walks themselves failed, and the next caller tries again.
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

/// An error, and how a page showed it.
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
