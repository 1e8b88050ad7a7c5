internal import Emulators
internal import HTTPExchange

/// A call as a person would write it, without secrets: masks replace them.
struct CallSnippet {
  /// Its key in `GET traces`.
  var language: String
  /// Its name for people.
  var title: String
  var text: String

  static func all(of call: TracedCall, to api: EmulatedAPI) -> [CallSnippet] {
    let parts = CallParts(call)
    let (swift, typeScript): (String?, String?) =
      switch api {
      case .clerk: (parts.clerkKit, parts.clerkJS)
      case .entra: (parts.msal, nil)
      }
    return [
      CallSnippet(language: "curl", title: "curl", text: call.curl),
      CallSnippet(
        language: "swift",
        title: swift == nil ? "Swift" : api.swiftLibrary,
        text: swift ?? parts.urlSession
      ),
      CallSnippet(
        language: "typescript",
        title: typeScript == nil ? "TypeScript" : "TypeScript, clerk-js",
        text: typeScript ?? parts.fetch
      ),
    ]
  }
}

extension EmulatedAPI {
  fileprivate var swiftLibrary: String {
    switch self {
    case .clerk: "Swift, ClerkKit"
    case .entra: "Swift, MSAL"
    }
  }
}

/// The parts of a call that snippets are written from.
struct CallParts {
  let call: TracedCall
  /// The method, or the one in the query's `_method`, and the path.
  private let asked: (method: String, path: Substring)

  init(_ call: TracedCall) {
    self.call = call
    let methods = ["_method=PATCH": "PATCH", "_method=DELETE": "DELETE"]
    asked = (
      methods.first { call.target.contains($0.key) }?.value ?? call.method,
      call.target.prefix { $0 != "?" }
    )
  }

  /// The operation of Clerk's API; nil if there is none.
  var clerkRoute: ClerkRoute? { ClerkRoute(method: asked.method, path: asked.path) }

  /// The endpoint of Entra's API; nil if there is none.
  var entraRoute: EntraRoute? { EntraRoute(method: asked.method, path: asked.path) }

  subscript(_ name: String) -> String? { call.form.first { $0.name == name }?.value }

  /// A string literal of Swift or TypeScript.
  func quoted(_ text: String?) -> String { (text ?? "").quotedForSwift }

  /// The value of a parameter, as such a text.
  func value(_ name: String) -> String { quoted(self[name]) }

  // MARK: Without a library

  private var headerFields: [TracedCall.Parameter] {
    let leftOut: Set = ["host", "content-length", "connection", "accept-encoding", "user-agent"]
    return call.headerFields.filter { !leftOut.contains($0.name.lowercased()) }
  }

  private var body: String? {
    call.content.map { String(decoding: $0.encoded, as: UTF8.self) }
  }

  var urlSession: String {
    var lines = [
      "var request = URLRequest(url: URL(string: \(quoted(call.address + call.target)))!)",
      "request.httpMethod = \(quoted(call.method))",
    ]
    lines += headerFields.map {
      "request.setValue(\(quoted($0.value)), forHTTPHeaderField: \(quoted($0.name)))"
    }
    if !call.form.isEmpty {
      lines.append("var form = URLComponents()")
      lines.append("form.queryItems = [")
      lines += call.form.map {
        "  URLQueryItem(name: \(quoted($0.name)), value: \(quoted($0.value))),"
      }
      lines.append("]")
      // `percentEncodedQuery` leaves `+` unescaped, which means a space in a form.
      lines.append(
        "let encoded = form.percentEncodedQuery?.replacingOccurrences(of: \"+\", with: \"%2B\")"
      )
      lines.append("request.httpBody = Data((encoded ?? \"\").utf8)")
    } else if let body {
      lines.append("request.httpBody = Data(\(quoted(body)).utf8)")
    }
    lines.append("let (data, response) = try await URLSession.shared.data(for: request)")
    return lines.joined(separator: "\n")
  }

  var fetch: String {
    var lines = ["const answer = await fetch(\(quoted(call.address + call.target)), {"]
    lines.append("  method: \(quoted(call.method)),")
    if !headerFields.isEmpty {
      lines.append("  headers: {")
      lines += headerFields.map { "    \(quoted($0.name)): \(quoted($0.value))," }
      lines.append("  },")
    }
    if !call.form.isEmpty {
      lines.append("  body: new URLSearchParams([")
      lines += call.form.map { "    [\(quoted($0.name)), \(quoted($0.value))]," }
      lines.append("  ]),")
    } else if let body {
      lines.append("  body: \(quoted(body)),")
    }
    lines += ["});", "console.log(answer.status, await answer.json());"]
    return lines.joined(separator: "\n")
  }
}
