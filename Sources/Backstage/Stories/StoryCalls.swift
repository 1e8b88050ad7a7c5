internal import Emulators
internal import Headless
internal import HTTPExchange
internal import HTTPTypes

extension BackstageContext {
  /// `GET stories`.
  func storyList() throws -> Response {
    guard let stories else { throw BackstageRefusal.notFound }
    return .json(.array(try stories.all().map(\.json)))
  }

  /// `POST stories/NAME`: begins a built-in story, or the one in the body, in a clean world of its
  /// own.
  func beginStory(_ name: String, _ call: BackstageCall) async throws -> Response {
    guard let stories, let request else { throw BackstageRefusal.notFound }
    var story: Story
    if call.content.count > 0 {
      story = try Story(try call.requiredBody(), over: worlds.api)
      guard story.name == name else {
        throw BackstageRefusal.invalid("The story is called \(story.name).", at: "name", "another")
      }
    } else {
      story = try stories.story(named: name)
    }
    let world = try await stories.begin(story, for: request)
    var answer = story.json
    answer["world"] = .string(world.text)
    var response = Response.json(answer, status: 303)
    response.headerFields[.location] =
      stories.addresses(asIn: request).origin(of: world) + story.firstPath
    return response
  }
}

extension Stories {
  /// Carries out a form of the stories tool, or of the bar below the pages.
  func answer(
    to form: FormData,
    _ context: WorkbenchContext,
    noting note: @escaping @Sendable (RecordedEvent) -> Void
  ) async throws -> Response {
    let step = Int(form["step"] ?? "") ?? -1
    switch form["action"] ?? "" {
    case "begin":
      try context.addresses.check()
      let story = try story(in: form)
      let world = try await begin(story, for: context.request)
      let page = context.addresses.origin(of: world) + story.firstPath
      return .seeOther(context.presented(page, in: world))
    case "stand":
      let response = try await stand(at: step, of: context.world, for: context.request)
      note(.unrepeatable("The story of the world was begun again during the walk."))
      return response
    case "next":
      return try await next(step, of: context.world, for: context.request, noting: note)
    default: throw BackstageRefusal.malformed("There is no such form here.")
    }
  }

  /// A built-in story by its name, or somebody's own from its text.
  private func story(in form: FormData) throws -> Story {
    guard let document = form["document"] else { return try story(named: form["id"] ?? "") }
    let bytes = Array(document.utf8)
    if let fault = JSONFault(in: bytes) {
      throw BackstageRefusal.invalid(
        "This is not a story: \(fault).",
        at: "document",
        fault.description
      )
    }
    guard let json = JSON(decoding: bytes) else {
      throw BackstageRefusal.invalid("This is not JSON.", at: "document", "JSON is expected")
    }
    return try Story(json, over: worlds.api)
  }
}
