internal import Emulators

/// What a call of backstage takes and answers, beyond its route.
struct CallDescription: Sendable {
  /// A query parameter, or a header field of the response.
  struct Parameter: Sendable {
    var name: String
    var schema: Schema
    var words: String

    init(_ name: String, _ schema: Schema, _ words: String) {
      (self.name, self.schema, self.words) = (name, schema, words)
    }

    init(_ name: String, _ words: String) { self.init(name, .text, words) }
  }

  enum Body: Sendable {
    case none, optional(Schema), required(Schema)

    var schema: Schema? {
      switch self {
      case .none: nil
      case .optional(let schema), .required(let schema): schema
      }
    }
  }

  enum Answer: Sendable {
    /// 200.
    case json(Schema)
    /// 200, as text or JSON, depending on the file's name.
    case file(Schema)
    /// 204.
    case nothing
    /// 303, with the cookies of a visit, and perhaps a body.
    case leadsOn(Schema?)
  }

  /// One sentence.
  var words: String
  /// The query parameters that it knows; others are refused.
  var query: [Parameter] = []
  var body = Body.none
  var answer: Answer
  /// Further header fields of the response.
  var headers: [Parameter] = []
  /// The reasons to refuse it, besides those that follow from its parameters and body.
  var refusals: Set<BackstageRefusal.Code> = []
  /// Whether it answers 404 where there are no pages: on the emulator's own port.
  var needsPages = false

  init(
    _ words: String,
    query: [Parameter] = [],
    body: Body = .none,
    _ answer: Answer,
    headers: [Parameter] = [],
    refusals: Set<BackstageRefusal.Code> = [],
    needsPages: Bool = false
  ) {
    self.words = words
    self.query = query
    self.body = body
    self.answer = answer
    self.headers = headers
    self.refusals = refusals
    self.needsPages = needsPages
  }
}

extension CallDescription {
  /// The reasons to refuse any call.
  private static let usual: Set<BackstageRefusal.Code> = [
    .malformedRequest, .invalidWorld, .headerRequired, .foreignSite, .foreignOrigin, .invalidValue,
    .headTooLarge, .unavailable, .worldUnavailable, .cancelled, .stopping, .timedOut,
  ]

  /// The reasons to refuse it, by status.
  func refusals(hasPathParameters: Bool) -> [(status: Int, codes: [BackstageRefusal.Code])] {
    var codes = Self.usual.union(refusals)
    // The call may have a code of its own for what is missing.
    if hasPathParameters, !refusals.contains(where: { $0.status == 404 }) {
      codes.insert(.notFound)
    }
    if body.schema != nil { codes.insert(.bodyTooLarge) }
    return Set(codes.map(\.status)).sorted().map { status in
      (status, BackstageRefusal.Code.allCases.filter { $0.status == status && codes.contains($0) })
    }
  }

  /// The route's operation in OpenAPI.
  func operation(_ id: String, pathParameters: [String]) -> JSON {
    var json: JSON = [
      "operationId": .string(id), "tags": ["backstage"], "summary": .string(words),
      "security": [["backstage": []]],
      "parameters": .array(
        [["$ref": "#/components/parameters/World"]]
          + pathParameters.map {
            ["name": .string($0), "in": "path", "required": true, "schema": Schema.text.json]
          } + query.map(\.json)
      ),
    ]
    if let schema = body.schema {
      let isRequired = if case .required = body { true } else { false }
      json["requestBody"] = [
        "required": .bool(isRequired), "content": ["application/json": ["schema": schema.json]],
      ]
    }
    let refused = refusals(hasPathParameters: !pathParameters.isEmpty).map { status, codes in
      JSON.Member(
        "\(status)",
        ["$ref": .string("#/components/responses/\(RefusalResponse(codes: codes).name)")]
      )
    }
    var answered = answer.response
    if !headers.isEmpty { answered.value["headers"] = .object(headers.map(\.header)) }
    json["responses"] = .object([answered] + refused)
    return json
  }
}

/// A refusal with one of those codes.
struct RefusalResponse: Hashable {
  var codes: [BackstageRefusal.Code]

  var name: String { (["Refusal"] + codes.map(\.rawValue)).joined(separator: ".") }

  var json: JSON {
    let code = Schema.choice(codes.map(\.rawValue)).json
    let narrower: JSON = [
      "properties": ["errors": ["items": ["properties": ["code": code]]]]
    ]
    return [
      "description": "Why the call was refused.",
      "content": [
        "application/json": ["schema": ["allOf": [Schema.the(.refusal).json, narrower]]]
      ],
    ]
  }
}

extension CallDescription.Parameter {
  /// As a parameter of the query.
  var json: JSON {
    [
      "name": .string(name), "in": "query", "schema": schema.json, "description": .string(words),
    ]
  }

  /// As a header field of a response.
  var header: JSON.Member {
    .init(name, ["description": .string(words), "schema": schema.json])
  }
}

extension CallDescription.Answer {
  fileprivate var response: JSON.Member {
    switch self {
    case .json(let schema):
      .init(
        "200",
        [
          "description": "What is there now.",
          "content": ["application/json": ["schema": schema.json]],
        ]
      )
    case .file(let schema):
      .init(
        "200",
        [
          "description": "The file.",
          "content": [
            "text/plain": ["schema": Schema.text.json],
            "application/json": ["schema": schema.json],
          ],
        ]
      )
    case .nothing: .init("204", ["description": "It is deleted."])
    case .leadsOn(let schema):
      .init(
        "303",
        [
          "description": "Redirects to the page, with the cookies of a visit that is at it.",
          "headers": ["Location": ["required": true, "schema": Schema.text.json]],
          "content": schema.map { ["application/json": ["schema": $0.json]] }
            ?? ["text/plain": ["schema": Schema.text.json]],
        ]
      )
    }
  }
}
