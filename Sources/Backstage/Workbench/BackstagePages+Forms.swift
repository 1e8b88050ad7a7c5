internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The forms that are more than a call with a notice.
extension BackstagePages {
  /// Does what a form of a story asks for, and tells the recordings what that did beside the pages.
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

  /// Brings the browser where an account's sign-in goes on.
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
      let hint = hasPassword ? " It is tried with the password of the demo users." : ""
      throw BackstageRefusal.invalid("\(account.shortName) cannot be signed in: \(words)\(hint)")
    }
  }

  /// Brings the browser where an error is given, and has it given next.
  func provoke(
    _ form: FormData,
    _ context: WorkbenchContext
  ) async throws -> Response {
    guard let standpoint, form["action"] == "provoke",
      let error = KnownError.all(behind: worlds.api).first(where: { $0.id == form["id"] })
    else { throw BackstageRefusal.malformed("There is no such form here.") }
    let names = error.state.split(separator: "/").map(String.init)
    let standing = try await standpoint.answer(
      to: context.request,
      page: names[0],
      state: names.last,
      in: context.world,
      recorder
    )
    _ = try await BackstageRouter.answer(
      BackstageCall(method: .post, path: ["faults"], body: error.fault),
      in: callContext(of: context.world)
    )
    let page = standing.headerFields[.location] ?? "/sign-in"
    let words = "Send the form at \(page): it is refused with \(error.code)."
    var response = seeOther(WorkbenchTool.errors.path, notices.keep(words))
    response.headerFields[values: .setCookie] += standing.headerFields[values: .setCookie]
    return response
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
      return seeOther(WorkbenchTool.brand.path, notices.keep("The brand is written to its file."))
    case .download(let brand): return brand.download
    }
  }
}
