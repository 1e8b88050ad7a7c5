internal import AuthFlow
internal import Emulators
internal import ErrorCodes
internal import Pages

/// The description of every page's JSON twin, derived from the pages themselves: their addresses,
/// forms and steps.
enum TwinDescription {
  /// The operations of every address, by path.
  static var paths: [JSON.Member] {
    Address.allCases.map { address in
      var operations: [JSON.Member] = []
      if address.page == address { operations.append(.init("get", page(at: address))) }
      if !forms(to: address).isEmpty { operations.append(.init("post", form(at: address))) }
      return .init(address.path, .object(operations))
    }
  }

  static var schemas: [JSON.Member] {
    let pages = Address.pages.map { ($0.pageName, TwinSchemas.facts(on: $0)) }
    let all = pages + [(ErrorPage.templateName, .object([:]))]
    let forms = Address.allCases.filter { !Self.forms(to: $0).isEmpty }
    return all.map { .init(pageSchema($0.0), page(called: $0.0, facts: $0.1).json) }
      + forms.map { .init(formSchema($0), twin(of: $0).json) }
      + TwinSchemas.parts.map { .init($0.name, $0.schema.json) }
  }

  // MARK: - Operations

  private static func page(at address: Address) -> JSON {
    let statuses = [400, 403, 410, 422, 429, 431, 500, 502, 503, 504]
    return operation(
      address,
      "open",
      words: "Shows the page \(address.pageName).",
      parameters: [
        ["$ref": "#/components/parameters/ReturnAddress"],
        ["$ref": "#/components/parameters/Language"],
      ] + query[address, default: []].map(\.json),
      statuses: [200] + statuses
    )
  }

  private static func form(at address: Address) -> JSON {
    var json = operation(
      address,
      "send",
      words: "Accepts a form of the page \(address.pageName).",
      parameters: [],
      statuses: [400, 403, 410, 413, 415, 422, 429, 431, 500, 502, 503, 504]
    )
    json["requestBody"] = [
      "required": true,
      "content": ["application/x-www-form-urlencoded": ["schema": request(of: address).json]],
    ]
    return json
  }

  private static func operation(
    _ address: Address,
    _ verb: String,
    words: String,
    parameters: [JSON],
    statuses: [Int]
  ) -> JSON {
    let own = Schema.named(pageSchema(address.pageName))
    // If an attempt is over, the start page of its flow says so.
    let others = FlowName.allCases.map(\.start.pageName) + [ErrorPage.templateName]
    let refused = Schema.oneOf(
      ([address.pageName] + others).once.map { .named(pageSchema($0)) }
    )
    let answers = statuses.map { status in
      var answer: JSON = [
        "description": .string(status < 400 ? "The page." : "The page with its errors."),
        "content": ["application/json": ["schema": (status < 400 ? own : refused).json]],
      ]
      if status == 429 || (status == 403 && address == .locked) {
        answer["headers"] = .object([retryAfter.header])
      }
      return JSON.Member("\(status)", answer)
    }
    let name = address.path.dropFirst().replacing("/", with: "-")
    return [
      "operationId": .string("\(verb)-\(name)"), "tags": ["pages"], "summary": .string(words),
      "parameters": .array([["$ref": "#/components/parameters/World"]] + parameters),
      "responses": .object(
        answers + [.init("303", ["$ref": "#/components/responses/LeadsOn"])]
      ),
    ]
  }

  private static let retryAfter = CallDescription.Parameter(
    "Retry-After",
    .count,
    "Seconds, if the end of the wait is known."
  )

  /// The query parameters of pages; a page ignores all others.
  private static let query: [Address: [CallDescription.Parameter]] = [
    .signIn: [typed("identifier"), ticket], .forgotPassword: [typed("identifier")],
    .signUp: [
      typed("email_address"), .init("identifier", "The same, if there is no `email_address`."),
      .init("change", "Opens the details again during verification; needs no value."),
      ticket,
    ],
    .link: linkParameters.map(brought), .signUpLink: linkParameters.map(brought),
    .browser: ["returned", "rotating_token_nonce", "code", "state", "error"].map {
      .init($0, "As the identity provider's page sends it.")
    },
    .account: [
      .init(AccountPage.unfolding, "Lists where else the person is signed in; needs no value.")
    ],
    .chooseOrganizationTask: [
      .init("create", "Opens the form that makes an organization; needs no value.")
    ],
  ]

  private static let ticket = CallDescription.Parameter(
    "__clerk_ticket",
    "The ticket of an invitation, as its link has it."
  )

  private static func typed(_ name: String) -> CallDescription.Parameter {
    .init(name, "What the field of that name holds at first.")
  }

  private static func brought(_ field: Field) -> CallDescription.Parameter {
    .init(field.name, "As the link of a message has it.")
  }

  // MARK: - Pages

  private static func pageSchema(_ name: String) -> String { "Page.\(name)" }

  private static func page(called name: String, facts: Schema) -> Schema {
    let shown = PageExample.all.filter { $0.page.name == name }
    let forms = shown.flatMap { $0.page.content(in: $0.frame).forms }.map(\.action).once
    // An error's step is its status.
    let isError = name == ErrorPage.templateName
    let step = isError ? Schema.text(matching: "^[0-9]{3}$") : .choice(shown.map(\.page.step).once)
    let flows = shown.map(\.page.flow).once.flatMap { flow in
      // A reset may go on to the pages of a sign-in, for its second factor.
      flow == .signIn ? [flow, .passwordReset] : [flow]
    }.once.map { Schema.constant(.optional($0?.rawValue)) }
    return .object([
      "page": .constant(.string(name)), "step": step, "flow": .oneOf(flows), "title": .text,
      "forms": forms.isEmpty
        ? ["type": "array", "maxItems": 0]
        : .list(of: .oneOf(forms.map { .named(formSchema($0)) })),
      "errors": .list(of: .named("PageError")), "notices": .list(of: .named("PageNotice")),
      "links": .list(of: .named("PageLink")), "facts": facts,
    ])
  }

  // MARK: - Forms

  private static func formSchema(_ address: Address) -> String {
    "Form.\(address.path.dropFirst().replacing("/", with: "-"))"
  }

  private static func forms(to address: Address) -> [Form] { formsByAction[address] ?? [] }

  /// Every form of any page in any state.
  private static let formsByAction = Dictionary(
    grouping: PageExample.all.flatMap { $0.page.content(in: $0.frame).forms },
    by: \.action
  )

  private static func fieldNames(of address: Address) -> [String] {
    (forms(to: address).flatMap(\.fields).map(\.field) + hidden[address, default: []]).map(\.name)
      .once
  }

  /// Fields that no state of the atlas shows: to ask for another account or contact, what a link
  /// carries, and what an instance may require.
  private static let hidden: [Address: [Field]] = [
    .forgotPassword: [ForgotPasswordPage.change], .verifyContact: [.factor],
    .link: linkParameters, .signUpLink: linkParameters, .signUp: details, .missingDetails: details,
  ]

  private static let linkParameters = ["flow_id", "approval_token", "__clerk_status"]
    .map(Field.init(named:))

  private static let details: [Field] =
    [
      .emailAddress, .phoneNumber, .username, .firstName, .lastName, .password, .legalAccepted,
      Field(named: "identifier_hint"),
    ] + InstanceSettings.builtInAttributes.map(Field.init(parameter:))

  /// The pattern of further field names in forms at that address: the attributes that an instance
  /// defines itself.
  private static func madeNames(at address: Address) -> String? {
    [.signUp, .missingDetails].contains(address)
      ? InstanceSettings.ownAttributePattern : nil
  }

  private static func twin(of address: Address) -> Schema {
    let names = fieldNames(of: address)
    let made = madeNames(at: address).map { [Schema.text(matching: $0)] } ?? []
    let name: Schema = .oneOf([.choice(names)] + made)
    return .object(
      [
        "name": .text(matching: "^[a-z_0-9-]+$"), "action": .constant(.string(address.path)),
        "method": .constant("post"), "token": .text,
        "fields": names.isEmpty
          ? ["type": "array", "maxItems": 0] : .list(of: TwinSchemas.field(named: name)),
      ],
      optional: ["available_at": .time]
    )
  }

  /// The request body there.
  ///
  /// While a story is told, a form adds a field that says so.
  private static func request(of address: Address) -> Schema {
    var schema = Schema.object(
      [("form_token", .text)],
      optional: fieldNames(of: address).map { ($0, .text) } + [(Stories.field, .text)]
    )
    if let pattern = madeNames(at: address) {
      schema.json["patternProperties"] = .object([.init(pattern, Schema.text.json)])
    }
    return schema
  }
}

extension Array where Element: Equatable {
  /// Each element once, in the order of first appearance.
  fileprivate var once: [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
