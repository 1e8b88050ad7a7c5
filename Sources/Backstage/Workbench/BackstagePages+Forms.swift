internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The forms that do more than make a call and show a notice.
extension BackstagePages {
  /// Carries out a form of a story, and notes what that did beside the pages in the recordings.
  func goOn(
    _ stories: Stories,
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let before = context.world.clock.now
    return try await stories.answer(to: form, context) { event in
      recorder?.recordings.note(event, since: before, in: context.world)
    }
  }

  /// Brings the browser to where an account's sign-in continues.
  func enter(
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let id = form["id"] ?? ""
    guard let shortcut, let account = try await context.world.account(id) else {
      throw BackstageRefusal.notFound
    }
    let hasPassword = try await !context.world.accountsWithPassword([id]).isEmpty
    let password = hasPassword ? AccountDescription.demoPassword : nil
    let before = context.world.clock.now
    let outcome = await Recordings.$isPaused.withValue(true) {
      await shortcut.begin(context.request, account.shortName, password)
    }
    switch outcome {
    case .goesOn(let location, let cookies):
      let way = RecordedArrival.Way.signIn(identifier: account.shortName, password: password)
      recorder?.recordings.note(
        RecordedArrival(way: way, location: location),
        of: context.request,
        since: before,
        in: context.world
      )
      var response = seeOther(location, nil)
      response.headerFields[values: .setCookie] = cookies
      return response
    case .refused(let words):
      let hint = hasPassword ? " It was tried with the password of the demo users." : ""
      throw BackstageRefusal.invalid("\(account.shortName) cannot be signed in: \(words)\(hint)")
    }
  }

  /// Brings the browser to where an error can occur, and provokes it there.
  func provoke(
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    guard let standpoint,
      let error = KnownError.all(behind: worlds.api).first(where: { $0.id == form["id"] })
    else { throw BackstageRefusal.malformed("There is no such form here.") }
    // A fault that was provoked before and never used would otherwise apply first.
    await disarm(Self.provoked, in: context.world)
    let names = error.state.split(separator: "/").map(String.init)
    let standing = try await standpoint.answer(
      to: context.request,
      page: names[0],
      state: names.last,
      in: context.world,
      of: worlds,
      recorder
    )
    try await arm([error.fault], as: Self.provoked, in: context.world)
    let notice = WorkbenchNotice(
      words: "Send the form at ",
      address: standing.headerFields[.location] ?? "/sign-in",
      rest: ": it is refused with \(error.code)."
    )
    // Keeps the pressed row in view, since there are many.
    let row = form["row"].flatMap { Int($0) }.map { "#\(ErrorsView.rowID($0))" } ?? ""
    var response = seeOther(ErrorsPage.address(form["q"] ?? "") + row, notices.keep(notice))
    response.headerFields[values: .setCookie] += standing.headerFields[values: .setCookie]
    return response
  }

  /// The group of a provoked error's fault.
  private static let provoked = "provoked"

  /// Lets a tile's faults happen.
  ///
  /// If they are active already, the faults that end by themselves restart, and the others stay.
  func rehearse(
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let tiles = FaultTile.all(behind: worlds.api)
    guard let tile = tiles.first(where: { $0.name == form["id"] }) else {
      throw BackstageRefusal.malformed("There is no such form here.")
    }
    let isOn = context.world.faults.all.contains { $0.group == tile.name }
    if !isOn || tile.ends {
      await disarm(tile.name, in: context.world)
      try await arm(tile.faults, as: tile.name, in: context.world)
    }
    let state =
      switch (isOn, tile.ends) {
      case (false, _): ""
      case (true, false): " is on already"
      case (true, true): " was on already, and begins again"
      }
    let words = "\(tile.title)\(state): \(tile.words)"
    return seeOther(WorkbenchTool.faults.path, notices.keep(WorkbenchNotice(words: words)))
  }

  /// Adds faults as one group.
  private func arm(
    _ faults: [JSON],
    as group: String,
    in world: World
  ) async throws {
    let context = callContext(of: world)
    for var fault in faults {
      fault["group"] = .string(group)
      let call = BackstageCall(method: .post, path: ["faults"], body: fault)
      _ = try await BackstageRouter.answer(call, in: context)
    }
  }

  /// Removes what is left of a group of faults.
  private func disarm(_ group: String, in world: World) async {
    guard let fault = world.faults.all.first(where: { $0.group == group }) else { return }
    let call = BackstageCall(method: .delete, path: ["faults", fault.id], body: nil)
    // One that is used up meanwhile is gone, too, and the others with it.
    _ = try? await BackstageRouter.answer(call, in: callContext(of: world))
  }

  /// Drops every other world that tells a story.
  func dropStories(_ context: WorkbenchContext) -> Response {
    let count = context.worlds.ofStories(besides: context.world.name)
      .filter { context.worlds.drop($0.name) }.count
    let words =
      count == 1 ? "A world of a story is dropped." : "\(count) worlds of stories are dropped."
    return seeOther(WorkbenchTool.world.path, notices.keep(WorkbenchNotice(words: words)))
  }

  /// Shows a brand, writes it to its file or has it downloaded.
  func submitBrand(
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let frame = try await WorkbenchFrame(context, notice: nil, recordings: recorder?.recordings)
    switch try brand.submit(form, in: frame) {
    case .page(let document): return document.response(for: context.request, by: templates)
    case .written:
      let (world, now) = (context.world, context.world.clock.now)
      recorder?.recordings.note(.brandWritten, since: now, in: world)
      let notice = WorkbenchNotice(words: "The brand is written to its file.")
      return seeOther(WorkbenchTool.brand.path, notices.keep(notice))
    case .download(let brand): return brand.download
    }
  }
}
