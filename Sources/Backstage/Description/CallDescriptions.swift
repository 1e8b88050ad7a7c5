internal import Emulators

// What each call takes and answers, in the order of the routes.

extension CallDescription {
  private static let message: [Parameter] = [
    .init("to", "The address or number that it went to, spelt as people may type it."),
    .init("purpose", .choice(of: Message.Purpose.self), "What it is for."),
    .init("channel", .choice(of: Message.Channel.self), "How it would have been sent."),
  ]

  static let description = CallDescription("This document.", .json(["type": "object"]))

  static let messages = CallDescription(
    "Mail and texts that would have been sent, newest first.",
    query: message,
    .json(.list(of: .the(.message)))
  )
  static let deleteMessages = CallDescription("Empties the inbox.", .nothing)
  static let latestMessage = CallDescription(
    "The newest message; waits for one.",
    query: message + [
      .init("after", "The ID of a message: only newer messages count; all of them if it is gone."),
      .init(
        "wait",
        [
          "type": "number", "minimum": 0,
          "maximum": .integer(Int64(BackstageContext.waitLimitSeconds)),
        ],
        "Real seconds, at most."
      ),
    ],
    .json(.the(.message)),
    refusals: [.noMessage]
  )
  static let oneMessage = CallDescription("One message.", .json(.the(.message)))
  static let deleteMessage = CallDescription("Deletes a message.", .nothing)

  static let clock = CallDescription("The world's clock.", .json(.the(.clock)))
  static let moveClock = CallDescription(
    "Moves, sets, freezes or resets the world's clock.",
    body: .required(
      .oneOf([
        .object(["advance_seconds": .number]), .object(["set": .timeAsSent]),
        .object(["freeze": .flag]), .object(["reset": .constant(true)]),
      ])
    ),
    .json(.the(.clock))
  )

  static let faults = CallDescription(
    "The faults of calls to the emulated API.",
    .json(.list(of: .the(.fault)))
  )
  static let addFault = CallDescription(
    "Adds a fault; the first fault that matches a call applies to it.",
    body: .required(.the(.newFault)),
    .json(.the(.fault))
  )
  static let deleteFaults = CallDescription("Removes all faults.", .nothing)
  static let deleteFault = CallDescription(
    "Removes a fault, and with it the others of its group.",
    .nothing
  )

  static let traces = CallDescription(
    "What was posted to each page, and the API calls that it made, masked; newest first.",
    query: [
      .init(
        "visit",
        .text(matching: "^(visit_[1-9][0-9]*|current)$"),
        "Only this visit's requests; `current` is that of the browser whose cookies are sent."
      )
    ],
    .json(.list(of: .the(.trace)))
  )
  static let traceArchive = CallDescription(
    "The requests of `visit_3.har`, or `all.har`, as an HTTP archive.",
    .json(.the(.archive))
  )
  static let deleteTraces = CallDescription("Forgets all requests.", .nothing)

  static let instance = CallDescription("The emulator's settings.", .json(.the(.settings)))
  static let changeSettings = CallDescription(
    "Changes the settings that are sent, and no others.",
    body: .required(.the(.settingsChange)),
    .json(.the(.settings))
  )
  static let brand = CallDescription(
    "The brand file as it is now, or the built-in brand.",
    .json(.the(.brand)),
    refusals: [.unusableBrand],
    needsPages: true
  )
  static let writeBrand = CallDescription(
    "Writes the brand file.",
    body: .required(.the(.newBrand)),
    .json(.the(.brand)),
    refusals: [.noBrandFile, .unwritable],
    needsPages: true
  )

  static let users = CallDescription(
    "Accounts, at most 100 at once; a `Link` field leads to the next.",
    query: [
      .init("identifier", "Its address, number or username, spelt as people may type it."),
      .init(
        "search",
        ["type": "string", "maxLength": .integer(Int64(AccountSearch.lengthLimit))],
        """
        Up to \(AccountSearch.wordLimit) words that are all in its identifiers, its name and its ID, in any letter \
        case; not together with `identifier`.
        """
      ),
      .init("limit", .number(1...World.accountPageLimit), "The most accounts to list."),
      .init("after", "The ID of the last account on the page before."),
    ],
    .json(.list(of: .the(.user))),
    headers: [.init("Link", "If there are more: `<…>; rel=\"next\"`.")]
  )
  static let addUser = CallDescription(
    "Adds an account.",
    body: .required(.the(.userChange)),
    .json(.the(.user))
  )
  static let oneUser = CallDescription(
    "One account, named by its ID or by an address, number or username.",
    .json(.the(.user))
  )
  static let changeUser = CallDescription(
    "Changes the keys that are sent, and no others; the ID may be an identifier.",
    body: .required(.the(.userChange)),
    .json(.the(.user))
  )
  static let deleteUser = CallDescription(
    "Deletes an account; the ID may be an identifier.",
    .nothing
  )
  static let authenticatorCode = CallDescription(
    "What an account's authenticator app shows by the world's clock; the ID may be an identifier.",
    .json(.object(["code": .text(matching: "^[0-9]{6}$"), "valid_until": .time])),
    refusals: [.noAuthenticator]
  )
  static let invite = CallDescription(
    "Mails an invitation; only with Clerk.",
    body: .required(.object(["email_address": .text], optional: ["redirect_url": .text])),
    .json(
      .object(["id": .text, "email_address": .text, "link": .text, "expires_at": .time])
    )
  )

  static let worlds = CallDescription("Every world.", .json(.list(of: .the(.world))))
  static let dropWorld = CallDescription("Drops a world.", .nothing)
  static let export = CallDescription(
    "The whole world as one document, as secret as the database.",
    .json(.the(.exportedWorld)),
    refusals: [.worldTooLarge]
  )
  static let importWorld = CallDescription(
    "Replaces this world with an exported one: all of it, or nothing.",
    body: .required(.the(.importedWorld)),
    .json(.the(.world)),
    refusals: [.noRoom]
  )
  static let rotateKeys = CallDescription(
    "Signs all worlds' tokens with a new key; the one before stays published until the next.",
    body: .required(.object(["rotate": .constant(true)])),
    .json(.object(["keys": .list(of: .object(["kid": .text, "signs": .flag]))]))
  )
  static let errors = CallDescription(
    "Every error that the emulated API is known to give, and how a page shows it.",
    .json(.list(of: .the(.knownError))),
    needsPages: true
  )
  static let stand = CallDescription(
    "Brings this browser to a state of the atlas, through the API.",
    body: .required(.the(.stand)),
    .leadsOn(nil),
    refusals: [.unreachable],
    needsPages: true
  )
  static let stories = CallDescription(
    "The stories.",
    .json(.list(of: .the(.story))),
    needsPages: true
  )
  static let beginStory = CallDescription(
    "Begins a story in a clean world of its own: a built-in one, or the one that is sent.",
    body: .optional(.the(.storyDocument)),
    .leadsOn(.the(.begunStory)),
    needsPages: true
  )
  static let beginRecording = CallDescription(
    "Begins a recording of this browser's walk in this world.",
    body: .optional(.object([:], optional: ["title": .text.orNull])),
    .json(.object(["id": .text])),
    refusals: [.notFound],
    needsPages: true
  )
  static let exportedRecording = CallDescription(
    "The walk so far: the recording's ID with .\(ExportForm.allCases.map(\.rawValue).joined(separator: ", .")).",
    .file(.the(.storyDocument)),
    refusals: [.notFound, .invalidValue, .nothingRecorded, .notRepeatable],
    needsPages: true
  )
  static let endRecording = CallDescription("Ends a recording.", .nothing, needsPages: true)
  static let reset = CallDescription(
    "Puts this world back to its seed, perhaps at another time: the seed's locks begin then, too.",
    body: .optional(
      .object(
        [:],
        optional: [
          "clock": .oneOf([
            .object(["set": .timeAsSent], optional: ["freeze": .flag]),
            .object(["freeze": .flag]),
          ])
        ]
      )
    ),
    .json(.the(.world))
  )
}
