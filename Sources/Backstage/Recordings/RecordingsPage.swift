internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

extension WorkbenchTool {
  /// The path at which an export of a recording can be downloaded.
  static func path(of recording: String, as form: ExportForm) -> String {
    "\(WorkbenchTool.recordings.path)/\(recording).\(form.rawValue)"
  }
}

extension WorkbenchContent {
  /// The recording of the requesting browser, or a form to begin one.
  static func recordings(_ context: WorkbenchContext, _ recorder: Recorder?) -> Self {
    guard let recorder else { return Self(lead: ["There are no pages here to walk through."]) }
    guard let recording = recorder.recording(of: context) else {
      return Self(
        lead: [
          "The walk begins as in a browser that has not been here yet: whoever is signed in is signed out."
        ],
        forms: [
          context.form(
            "begin",
            on: .recordings,
            lines: [
              .line("title", label: "What the walk is called", hint: "Tests are named after it")
            ],
            button: "Record this browser"
          )
        ]
      )
    }
    var content = Self(
      questions: [
        context.question(
          "end",
          on: .recordings,
          opening: "End the recording…",
          words: "The walk is forgotten, with all that was typed. What was downloaded stays.",
          button: "End the recording"
        )
      ]
    )
    content.facts = [.init(name: "Recorded", value: recording.title)]
    if let obstacle = recording.obstacle {
      content.lead = ["This walk cannot be exported. \(obstacle)"]
    } else if recording.steps.isEmpty {
      content.lead = ["Nothing has been walked yet."]
    }
    content.lists = [
      List(
        heading: recording.steps.isEmpty ? "Where to begin" : "What was walked so far",
        items: recording.steps.isEmpty
          ? [Item(heading: Address.signIn.path, address: Address.signIn.path)]
          : recording.told.map { Item(heading: $0.words, about: $0.end.map { .init(words: $0) }) }
      )
    ]
    if recording.obstacle == nil, !recording.steps.isEmpty {
      let exports = ExportForm.allCases.map { form in
        Item(
          heading: form.title,
          address: WorkbenchTool.path(of: recording.id, as: form)
        )
      }
      content.lists.append(List(heading: "As a test", items: exports))
    }
    return content
  }
}

extension Recorder {
  /// The recording of the requesting browser; nil if it has none in this world.
  fileprivate func recording(of context: WorkbenchContext) -> Recording? {
    recordings.recording(of: context.request, in: context.world.name)
  }

  /// What the tool shows, for programs.
  func facts(_ context: WorkbenchContext) -> JSON {
    guard let recording = recording(of: context) else { return ["recording": .null] }
    return [
      "recording": [
        "id": .string(recording.id), "title": .string(recording.title),
        "steps": .array(recording.told.map { .string($0.words) }),
        "obstacle": .optional(recording.obstacle),
      ]
    ]
  }
}

extension Recording {
  /// The steps in words, and where each led, without anything that was typed.
  fileprivate var told: [(words: String, end: String?)] {
    steps.map { step in
      let page = step["expect"]?["page"]?.string
      let status = step["expect"]?["status"]?.integer
      return (step["say"]?.string ?? "", page.map { "\($0), status \(status ?? 0)" })
    }
  }
}

extension BackstagePages {
  /// Begins or ends the recording of the requesting browser.
  func submitRecording(_ form: FormData, _ context: WorkbenchContext) async throws -> Response {
    guard let recorder else { throw BackstageRefusal.notFound }
    switch form["action"] {
    case "begin":
      let title = try BackstageContext.title(form["title"])
      let begun = try await recorder.begin(
        title,
        .cookie,
        in: context.world,
        of: worlds,
        for: context.request
      )
      return seeOther("This browser's walk is recorded.", cookies: begun.cookies)
    case "end":
      guard let recording = recorder.recording(of: context),
        recorder.recordings.end(recording.id, in: context.world.name)
      else { throw BackstageRefusal.notFound }
      return seeOther(
        "The recording is ended, and the walk forgotten.",
        cookies: [recorder.forgetting]
      )
    default: throw BackstageRefusal.malformed("There is no such form here.")
    }
  }

  private func seeOther(_ words: String, cookies: [String]) -> Response {
    var response = seeOther(
      WorkbenchTool.recordings.path,
      notices.keep(WorkbenchNotice(words: words))
    )
    response.headerFields[values: .setCookie] += cookies
    return response
  }

  /// The name of a downloaded export in backstage's calls; nil for any other request.
  static func recordingName(in request: Request) -> String? {
    let prefix = "\(WorkbenchTool.recordings.path)/"
    guard request.path.hasPrefix(prefix) else { return nil }
    return String(request.path.dropFirst(prefix.count))
  }

  /// A recorded walk as a download; another site cannot read it.
  func recording(_ name: String, for request: Request) async throws -> Response {
    try await answer(to: request, ["recordings", name])
  }
}
