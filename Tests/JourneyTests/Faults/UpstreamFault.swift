import Foundation
import Testing
import TestSupport

/// Something that goes wrong with the auth API, and what the page says about it.
struct UpstreamFault: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var behaviour: FaultyService.Behaviour
  var status: Int
  var code: String
  /// The pages on which it is not a fault.
  var exceptions: Set<String>

  init(
    _ label: String,
    _ behaviour: FaultyService.Behaviour,
    _ status: Int,
    _ code: String,
    except exceptions: Set<String> = []
  ) {
    testDescription = label
    self.behaviour = behaviour
    self.status = status
    self.code = code
    self.exceptions = exceptions
  }

  private static func answer(
    _ head: String,
    type: String = "application/json",
    fields: String = "",
    _ body: String
  ) -> FaultyService.Behaviour {
    .answering(
      "HTTP/1.1 \(head)\r\nContent-Type: \(type)\r\n\(fields)"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    )
  }

  private static let envelope = #"{"response":{"object":"sign_in","id":"sia_1","status":"#
  private static let unavailable = "service_unavailable"
  private static let timedOut = "service_timed_out"
  private static let nonsense = "service_answered_nonsense"
  private static let html = "<!doctype html><title>Oops</title><h1>Oops</h1>"

  /// An error as that API words it.
  private static func error(_ code: String, of api: Stage.API) -> String {
    switch api {
    case .clerk: #"{"errors":[{"code":"\#(code)","message":"Oops","long_message":"Oops"}]}"#
    case .entra: #"{"error":"\#(code)","error_description":"Oops","error_codes":[]}"#
    }
  }

  /// What can go wrong with either API.
  static func all(of api: Stage.API) -> [UpstreamFault] {
    common(api) + (api == .entra ? wrongShapes : [])
  }

  private static func common(_ api: Stage.API) -> [UpstreamFault] {
    let tooMany = api == .clerk ? "too_many_requests" : "temporarily_unavailable"
    let broken = api == .clerk ? "internal_clerk_error" : "server_error"
    return [
      UpstreamFault("is down", .refusing, 503, unavailable),
      UpstreamFault("takes no connection", .notAccepting, 503, unavailable),
      UpstreamFault("resets", .scripted { $0.reset() }, 503, unavailable),
      UpstreamFault("hangs", .scripted { $0.waitForEnd() }, 504, timedOut),
      UpstreamFault(
        "drips",
        .scripted { connection in
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
          while connection.write("a") { usleep(50_000) }
        },
        504,
        timedOut
      ),
      UpstreamFault("answers HTML", answer("200 OK", type: "text/html", html), 502, nonsense),
      UpstreamFault(
        "answers 500 with HTML",
        answer("500 Internal Server Error", type: "text/html", html),
        502,
        nonsense
      ),
      UpstreamFault(
        "answers 500 with an error of its own",
        answer(
          "500 Internal Server Error",
          error(broken, of: api)
        ),
        502,
        broken
      ),
      UpstreamFault("answers 503", answer("503 Service Unavailable", "{}"), 503, unavailable),
      UpstreamFault(
        "answers 429 with seconds",
        answer("429 Too Many Requests", fields: "Retry-After: 30\r\n", error(tooMany, of: api)),
        429,
        tooMany
      ),
      UpstreamFault(
        "answers 429 with a date",
        answer(
          "429 Too Many Requests",
          fields: "Retry-After: \(httpDate(Date().addingTimeInterval(600)))\r\n",
          error(tooMany, of: api)
        ),
        429,
        tooMany
      ),
      UpstreamFault("truncates its JSON", answer("200 OK", envelope), 502, nonsense),
      UpstreamFault("answers nothing", answer("200 OK", ""), 502, nonsense),
      UpstreamFault("answers no HTTP", .answering("SSH-2.0-OpenSSH_9.2\r\n\r\n"), 502, nonsense),
      UpstreamFault(
        "answers too much",
        answer("200 OK", String(repeating: " ", count: 1_200_000)),
        502,
        nonsense
      ),
      UpstreamFault(
        "answers JSON without end",
        answer("200 OK", String(repeating: #"{"a":"#, count: 100_000)),
        502,
        nonsense
      ),
      UpstreamFault(
        "redirects",
        answer("302 Found", fields: "Location: http://127.0.0.1:1/elsewhere\r\n", ""),
        502,
        nonsense
      ),
    ]
  }

  /// Answers that are JSON, but none that the API describes.
  private static let wrongShapes = [
    // A sign-up that ends without a token has made the account, but nobody is signed in.
    UpstreamFault(
      "leaves out what is needed",
      answer("200 OK", "{}"),
      502,
      nonsense,
      except: ["sign-up-verify", "sign-up-continue"]
    ),
    UpstreamFault(
      "answers of the wrong types",
      answer("200 OK", #"{"continuation_token":7,"status":true,"access_token":[],"methods":"x"}"#),
      502,
      nonsense
    ),
    UpstreamFault(
      "answers 200 with an error",
      answer("200 OK", #"{"error":"invalid_grant","error_codes":[50126]}"#),
      502,
      nonsense
    ),
    UpstreamFault(
      "answers 400 with HTML",
      answer("400 Bad Request", type: "text/html", html),
      502,
      nonsense
    ),
    UpstreamFault("answers 400 with nothing", answer("400 Bad Request", "{}"), 502, nonsense),
    UpstreamFault(
      "answers an unknown status",
      answer("299 Odd", #"{"continuation_token":"c"}"#),
      502,
      nonsense
    ),
  ]

  private static func httpDate(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: date)
  }
}
