internal import Emulators
internal import ErrorCodes
internal import Headless
internal import Pages

/// The named schemas of the bodies of backstage's calls.
enum NamedSchema: String, CaseIterable {
  case refusal = "Refusal"
  case message = "Message"
  case clock = "Clock"
  case fault = "Fault"
  case newFault = "NewFault"
  case faultAnswer = "FaultAnswer"
  case settings = "Settings"
  case settingsChange = "SettingsChange"
  case user = "User"
  case userChange = "UserChange"
  case brand = "Brand"
  case newBrand = "NewBrand"
  case world = "World"
  case exportedWorld = "ExportedWorld"
  case importedWorld = "ImportedWorld"
  case knownError = "KnownError"
  case stand = "Stand"
  case story = "Story"
  case begunStory = "BegunStory"
  case storyDocument = "StoryDocument"
  case trace = "Trace"
  case tracedCall = "TracedCall"
  case archive = "HTTPArchive"

  var schema: Schema {
    switch self {
    case .refusal:
      .object([
        "errors": .list(
          of: .object(
            ["code": .choice(of: BackstageRefusal.Code.self), "message": .text],
            optional: ["reference": .text]
          )
        )
      ])
    case .message:
      .object([
        "id": .text, "to": .text, "channel": .choice(of: Message.Channel.self), "sent": .flag,
        "purpose": .choice(of: Message.Purpose.self), "code": .text.orNull, "link": .text.orNull,
        "subject": .text.orNull, "text": .text, "created_at": .time,
      ])
    case .clock: .object(["now": .time, "offset_seconds": .integer, "frozen": .flag])
    case .fault:
      .object(
        [
          "id": .text, "match": .object(["method": .text.orNull, "path": .text.orNull]),
          "times": .count.orNull, "applied": .count, "delay_ms": .count,
        ],
        optional: [
          "ends_at": .time, "group": .faultGroup, "fault": .choice(of: Fault.Failure.self),
          "answer": .the(.faultAnswer),
        ]
      )
    case .newFault: Self.faultBody
    case .faultAnswer:
      .object(
        ["status": .number(Fault.Limits.statuses), "headers": .map(of: .text), "json": .anything],
        optional: [:]
      )
    case .settings: Schema(told: InstanceSettings.shape)
    case .settingsChange: Schema(taken: InstanceSettings.shape)
    case .user: Schema(told: AccountDescription.shape)
    case .userChange: Schema(taken: AccountDescription.shape)
    case .brand: Self.brandFile(color: "^#[0-9a-fA-F]{6}$")
    case .newBrand: Self.brandFile(color: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")
    case .world: .object(["name": .worldName])
    case .exportedWorld: Self.world(faults: .list(of: .the(.fault)))
    case .importedWorld: Self.world(faults: .list(of: .the(.newFault)))
    case .knownError: Self.error
    case .stand: Self.statesOfPages
    case .story: .object(Self.storyHead, optional: [])
    case .begunStory: .object(Self.storyHead + [("world", .worldName)], optional: [])
    case .storyDocument: Self.storyFile
    case .trace: TraceSchemas.trace
    case .tracedCall: TraceSchemas.call
    case .archive: TraceSchemas.archive
    }
  }

  private static let faultBody = Schema.object(
    [:],
    optional: [
      "id": .anything.saying("Ignored, except by an import, which keeps it if it is free."),
      "match": .object([:], optional: ["method": .text.orNull, "path": .text.orNull]).orNull,
      "times": .number(Fault.Limits.times).orNull,
      "applied": .number(Fault.Limits.applied).orNull
        .saying("Ignored, except by an import, which keeps it."),
      "seconds": .number(Fault.Limits.seconds).orNull,
      "ends_at": .timeAsSent.orNull, "delay_ms": .number(Fault.Limits.delays).orNull,
      "group": .faultGroup
        .saying("When one is used up or deleted, the others of its group go too.").orNull,
      "fault": .choice(of: Fault.Failure.self).orNull,
      "answer": .object(
        [:],
        optional: [
          "status": .number(Fault.Limits.statuses).orNull,
          "headers": .map(of: .oneOf([.text, .integer])).orNull, "json": .anything,
        ]
      ).orNull,
    ]
  )

  private static func brandFile(color: String) -> Schema {
    let colors = Schema.object(
      [],
      optional: Brand.Role.allCases.map { ($0.rawValue, .text(matching: color)) }
    )
    let others = Brand.Key.allCases.compactMap { key -> (name: String, schema: Schema)? in
      switch key {
      case .color: nil
      case .radius: (key.name, .integer.saying(key.expectation))
      case .name, .support, .terms, .privacyPolicy, .file:
        (key.name, .text.saying(key.expectation))
      }
    }
    return .object(
      [],
      optional: others + Brand.Scheme.allCases.map { (name: $0.rawValue, schema: colors) }
    )
  }

  private static func world(faults: Schema) -> Schema {
    .object(
      [
        "vestibule_world": .integer, "instance": .the(.settings),
        "clock": .object(["now": .integer, "offset_seconds": .number, "frozen": .flag]),
        "faults": faults, "traces": .list(of: .the(.trace)), "schema": .texts,
        "tables": .map(of: .list(of: ["type": "object"])),
      ],
      optional: [
        "api": .choice(of: EmulatedAPI.self),
        "story": .object(["document": .the(.storyDocument), "done": .count]),
      ]
    )
  }

  private static var error: Schema {
    let codes = Set(EmulatedAPI.allCases.flatMap(KnownError.all).map(\.code)).sorted()
    return .object([
      "code": .choice(codes), "status": .number(400...599), "parameter": .text.orNull,
      "message": .text.orNull, "long_message": .text.orNull, "words": .text.orNull,
      "placement": .object(["page": .text, "status": .integer, "field": .text.orNull]).orNull,
      "provoke": .object([
        "stand": .object(["page": .text, "state": .text]), "fault": .the(.newFault),
        "submit": .map(of: .text),
      ]),
    ])
  }

  /// The states at which a browser can be asked to stand, page by page.
  private static var statesOfPages: Schema {
    .oneOf(
      Atlas.pages.map { page, states in
        .object(["page": .constant(.string(page))], optional: ["state": .choice(states).orNull])
      }
    )
  }

  private static let storyHead: [(name: String, schema: Schema)] = [
    ("name", .storyName), ("title", .text), ("summary", .text),
    ("api", .choice(of: EmulatedAPI.self).orNull), ("steps", .texts),
  ]

  private static var storyFile: Schema {
    let filter = Schema.object(
      ["to": .text],
      optional: ["purpose": .choice(of: Message.Purpose.self)]
    )
    let latest = Schema.object(["latest": filter])
    let onPages: [(name: String, schema: Schema)] = [
      ("browser", .storyName), ("open", .oneOf([.text(matching: "^/"), latest])), ("form", .text),
      ("submit", .map(of: .oneOf([.text, latest, .object(["totp": .text])]))),
      (
        "stand",
        .object(["page": .choice(ClosedNames.pages.all)], optional: ["state": .text.orNull])
      ),
      ("expect", expectation),
    ]
    let deeds = Story.Deed.Key.allCases.map { key in
      (name: key.rawValue, schema: deed(key, latest: latest))
    }
    let said: [(name: String, schema: Schema)] = [("say", .text)]
    let step = Schema.object(said, optional: onPages + deeds)
    return .object(
      [
        "name": .storyName, "title": .text, "summary": .text,
        "steps": .list(of: step),
      ],
      optional: [
        "api": .choice(of: EmulatedAPI.self), "settings": .the(.settingsChange),
        "users": .list(of: .the(.userChange)),
        "clock": .oneOf([
          .timeAsSent, .object([:], optional: ["set": .timeAsSent, "freeze": .flag]),
        ]),
        "faults": .list(of: .the(.newFault)),
      ]
    )
  }

  /// What a step of a story expects.
  private static var expectation: Schema {
    let notice = Schema.choice(ClosedNames.notices.all)
    let names = Schema.list(of: .oneOf([.text, .object(["name": .text], isOpen: true)]))
    let codes = Schema.list(of: .oneOf([.text, .object(["code": .text], isOpen: true)]))
    let ofPage: [(name: String, schema: Schema)] = [
      ("status", .integer), ("page", .choice(ClosedNames.pages.all)),
      ("step", .oneOf([.choice(ClosedNames.steps.all), .text(matching: "^[0-9]{3}$")])),
      ("flow", Schema.choice(ClosedNames.flows.all).orNull), ("title", .text),
      ("errors", .oneOf([codes, .map(of: codes)])),
      ("notices", .list(of: .oneOf([notice, .object(["code": notice], isOpen: true)]))),
      ("forms", .oneOf([names, .map(of: .texts)])), ("links", names),
      ("facts", ["type": "object"]),
    ]
    let call = Schema.object(
      ["method": .choice(ClosedNames.methods.all), "path": .text(matching: "^/[^?]*$")],
      optional: ["form": .map(of: .text)]
    )
    let message = Schema.object(
      ["to": .text],
      optional: [
        "purpose": .choice(of: Message.Purpose.self), "channel": .choice(of: Message.Channel.self),
      ]
    )
    let caused: [(name: String, schema: Schema)] = [
      ("calls", .list(of: call)), ("messages", .list(of: message)),
    ]
    return .object([], optional: ofPage + caused)
  }

  /// What a step does in backstage, as a story's file writes it.
  private static func deed(_ key: Story.Deed.Key, latest: Schema) -> Schema {
    switch key {
    case .clock: ["type": "object"]
    case .settings: .the(.settingsChange)
    case .fault: .the(.newFault)
    case .faults: .list(of: .the(.newFault))
    case .user: .object(["identifier": .text, "change": .the(.userChange)])
    case .newUser: .the(.userChange)
    case .invitation: .object(["email_address": .text], optional: ["redirect_url": .text])
    case .world: .the(.importedWorld)
    case .delete:
      .oneOf([.choice(["messages", "traces"]), .object(["user": .text]), latest])
    }
  }
}
