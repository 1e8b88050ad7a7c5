internal import Emulators
internal import HTTPExchange
internal import Pages

extension BackstagePages {
  func page(
    of tool: WorkbenchTool,
    _ context: WorkbenchContext,
    _ notice: WorkbenchNotice? = nil
  ) async throws -> WorkbenchDocument {
    var document = WorkbenchDocument(
      tool: tool,
      frame: try await WorkbenchFrame(context, notice: notice, recordings: recorder?.recordings),
      content: try await content(of: tool, context)
    )
    document.refusal = document.content.refusal
    if context.request.prefersJSON { document.facts = try await facts(of: tool, context) }
    return document
  }

  private func content(
    of tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async throws -> WorkbenchContent {
    switch tool {
    case .inbox: .inbox(try await Inbox(context))
    case .users: try await .users(context)
    case .clock: .clock(context)
    case .faults: .faults(context)
    case .errors: WorkbenchContent(errors: await ErrorsPage(context, rehearsal))
    case .traces: .traces(TracesPage(context))
    case .settings: .settings(context)
    case .brand: brand.content(over: brand.read(), context.token)
    case .atlas:
      WorkbenchContent(
        gallery: try Gallery(
          context,
          languages: renderer.languages,
          isBranded: renderer.look.brand != Brand(),
          statusOf: statusOfState,
          standpoint: standpoint
        )
      )
    case .map:
      await map.content(
        standingAt: context.standing,
        after: WalkedWay(context),
        under: context.world.settings
      )
    case .stories: .stories(try StoriesPage(context, stories))
    case .recordings: .recordings(context, recorder)
    case .world: .world(context)
    }
  }

  /// What a tool shows, for programs.
  private func facts(of tool: WorkbenchTool, _ context: WorkbenchContext) async throws -> JSON {
    let world = context.world
    switch tool {
    case .inbox: return ["messages": .array(try await world.outbox.messages().map(\.json))]
    case .users: return ["users": try await UsersTable.json(context)]
    case .clock: return world.clock.reading.json
    case .faults: return ["faults": .array(world.faults.all.map(\.json))]
    case .errors:
      let errors = await rehearsal?.all(behind: worlds.api) ?? []
      return ["errors": .array(errors.map(\.json))]
    case .traces: return ["traces": .array(world.traces.all.map(\.json))]
    case .settings: return world.settings.json
    case .brand: return ["file": .optional(brand.file), "brand": brand.facts]
    case .atlas: return ["states": .array(Atlas.names.map(JSON.string))]
    case .map:
      let map = await map
      let arrows = map.arrows.map { arrow -> JSON in
        [
          "from": .string(arrow.source), "to": .string(arrow.target),
          "reason": .string(arrow.reason),
        ]
      }
      return [
        "standing_at": .array(context.standing.map(JSON.string)), "arrows": .array(arrows),
        "strayed": .array(map.strayed.map(JSON.string)),
      ]
    case .stories: return try StoriesPage(context, stories).json
    case .recordings: return recorder?.facts(context) ?? ["recording": .null]
    case .world: return ["worlds": .array(worlds.names.map { .string($0.text) })]
    }
  }
}
