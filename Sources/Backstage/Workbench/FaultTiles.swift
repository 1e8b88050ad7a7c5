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
    let failures = api.failures
    return [
      Self(
        name: "offline",
        title: "Offline",
        words: "Nobody answers, until you remove it.",
        faults: [["fault": "refused"]]
      ),
      Self(
        name: "slow",
        title: "Slow",
        words: "The next three calls are answered after \(failures.slowness) seconds each.",
        faults: [["delay_ms": .integer(failures.slowness * 1000), "times": 3]]
      ),
      Self(
        name: "too-many",
        title: "Too many requests",
        words: "For 30 seconds every change is refused with 429.",
        faults: [tooMany(failures.tooMany)]
      ),
      Self(
        name: "broken",
        title: "Server error",
        words: failures.brokenWords,
        faults: [
          [
            "match": ["method": "POST"], "times": .integer(failures.brokenCalls),
            "fault": "html_500",
          ]
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
        faults: failures.codePaths.map {
          rehearsed(failures.wrongCode, status: failures.wrongStatus, at: $0)
        }
      ),
    ]
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

  private static func tooMany(_ body: JSON) -> JSON {
    [
      "match": ["method": "POST"], "seconds": 30,
      "answer": ["status": 429, "headers": ["Retry-After": "30"], "json": body],
    ]
  }
}

/// What differs between the auth APIs when they fail.
private struct APIFailures {
  /// The delay of a call in seconds: a page waits for 8 seconds, and a sign-in over Entra takes
  /// three calls.
  var slowness: Int64
  /// Over Entra, the first call of a sign-in is repeated if it fails with 500.
  var brokenCalls: Int64
  var brokenWords: String
  /// The body of a refusal because of too many requests.
  var tooMany: JSON
  /// The body of the refusal of a code.
  var wrongCode: JSON
  var wrongStatus: Int
  /// The calls that take a code.
  var codePaths: [String]
}

extension EmulatedAPI {
  fileprivate var failures: APIFailures {
    switch self {
    case .clerk:
      APIFailures(
        slowness: 5,
        brokenCalls: 1,
        brokenWords: "The next change is answered with 500 and an HTML page.",
        tooMany: Self.clerkError("too_many_requests"),
        wrongCode: Self.clerkError("form_code_incorrect"),
        wrongStatus: 422,
        codePaths: [
          "/v1/client/sign_ins/*/attempt_first_factor",
          "/v1/client/sign_ins/*/attempt_second_factor",
          "/v1/client/sign_ups/*/attempt_verification",
        ]
      )
    case .entra:
      APIFailures(
        slowness: 2,
        brokenCalls: 2,
        brokenWords: """
          The next two changes are answered with 500 and an HTML page: a sign-in tries twice to \
          begin.
          """,
        tooMany: [
          "error": "too_many_requests", "error_description": "Rehearsed in backstage.",
        ],
        wrongCode: [
          "error": "invalid_grant", "suberror": "invalid_oob_value", "error_codes": [50181],
          "error_description": "Rehearsed in backstage.",
        ],
        wrongStatus: 400,
        codePaths: [
          "/*/oauth2/v2.0/token", "/*/signup/v1.0/continue", "/*/resetpassword/v1.0/continue",
        ]
      )
    }
  }

  private static func clerkError(_ code: String) -> JSON {
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
}
