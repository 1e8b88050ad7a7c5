internal import Emulators
internal import HTTPExchange

/// A kind of failure that one press rehearses.
struct FaultTile {
  var name: String
  var title: String
  var words: String
  /// The bodies of `POST faults`, one group, which ends when the first of them is used up.
  var faults: [JSON]

  /// Whether it ends by itself.
  var ends: Bool { faults.contains { $0["times"] != nil || $0["seconds"] != nil } }

  static func all(behind api: EmulatedAPI) -> [Self] {
    [
      Self(
        name: "offline",
        title: "Offline",
        words: "Nobody answers, until you remove it.",
        faults: [["fault": "refused"]]
      ),
      Self(
        name: "slow",
        title: "Slow",
        words: "The next three calls are answered after \(slowness(api)) seconds each.",
        faults: [["delay_ms": .integer(slowness(api) * 1000), "times": 3]]
      ),
      Self(
        name: "too-many",
        title: "Too many requests",
        words: "For 30 seconds every change is refused with 429.",
        faults: [tooMany(api)]
      ),
      Self(
        name: "broken",
        title: "Server error",
        words: brokenWords(api),
        faults: [
          ["match": ["method": "POST"], "times": .integer(brokenCalls(api)), "fault": "html_500"]
        ]
      ),
      Self(
        name: "not-json",
        title: "Not JSON",
        words: "The next change is answered with text that is not JSON.",
        faults: [["match": ["method": "POST"], "times": 1, "fault": "not_json"]]
      ),
      Self(
        name: "code-refused",
        title: "Next code refused",
        words: codeWords,
        faults: codePaths(api).map { rehearsed(wrongCode(api), status: wrongStatus(api), at: $0) }
      ),
    ]
  }

  /// The delay of a call in seconds: a page waits for 8 seconds, and a sign-in over Entra takes
  /// three calls.
  private static func slowness(_ api: EmulatedAPI) -> Int64 {
    switch api {
    case .clerk: 5
    case .entra: 2
    }
  }

  /// Over Entra, the first call of a sign-in is repeated if it fails like this.
  private static func brokenCalls(_ api: EmulatedAPI) -> Int64 {
    switch api {
    case .clerk: 1
    case .entra: 2
    }
  }

  private static func brokenWords(_ api: EmulatedAPI) -> String {
    switch api {
    case .clerk: "The next change is answered with 500 and an HTML page."
    case .entra:
      "The next two changes are answered with 500 and an HTML page: a sign-in tries twice to begin."
    }
  }

  /// The call that takes a code at sign-in also takes a password, and a fault cannot look into the
  /// form.
  private static let codeWords = """
    The next code is wrong, whichever is typed: at sign-in, second factor, sign-up or password reset. A password that \
    is sent before it is refused instead.
    """

  private static func rehearsed(
    _ body: JSON,
    status: Int,
    at path: String
  ) -> JSON {
    [
      "match": ["method": "POST", "path": .string(path)], "times": 1,
      "answer": ["status": .integer(Int64(status)), "json": body],
    ]
  }

  private static func clerk(_ code: String) -> JSON {
    [
      "errors": [
        [
          "code": .string(code), "message": "rehearsed",
          "long_message": "This error is rehearsed in backstage.", "meta": .object([]),
        ]
      ],
      "clerk_trace_id": "rehearsed",
    ]
  }

  private static func tooMany(_ api: EmulatedAPI) -> JSON {
    let body: JSON =
      switch api {
      case .clerk: clerk("too_many_requests")
      case .entra: ["error": "too_many_requests", "error_description": "Rehearsed in backstage."]
      }
    return [
      "match": ["method": "POST"], "seconds": 30,
      "answer": ["status": 429, "headers": ["Retry-After": "30"], "json": body],
    ]
  }

  private static func wrongCode(_ api: EmulatedAPI) -> JSON {
    switch api {
    case .clerk: clerk("form_code_incorrect")
    case .entra:
      [
        "error": "invalid_grant", "suberror": "invalid_oob_value", "error_codes": [50181],
        "error_description": "Rehearsed in backstage.",
      ]
    }
  }

  private static func wrongStatus(_ api: EmulatedAPI) -> Int {
    switch api {
    case .clerk: 422
    case .entra: 400
    }
  }

  private static func codePaths(_ api: EmulatedAPI) -> [String] {
    switch api {
    case .clerk:
      [
        "/v1/client/sign_ins/*/attempt_first_factor", "/v1/client/sign_ins/*/attempt_second_factor",
        "/v1/client/sign_ups/*/attempt_verification",
      ]
    case .entra:
      ["/*/oauth2/v2.0/token", "/*/signup/v1.0/continue", "/*/resetpassword/v1.0/continue"]
    }
  }
}
