internal import Backstage
internal import Headless
internal import HTTPExchange
internal import Logging

extension WalkedFlows {
  /// The program's flows over that API, walked only once: they are the same for every server.
  static func over(_ api: EmulatedAuthAPI) -> WalkedFlows {
    walked[api.option] ?? WalkedFlows { await findings(over: api) }
  }

  private static let walked = Dictionary(
    uniqueKeysWithValues: EmulatedAuthAPI.all.map { api in
      (api.option, WalkedFlows { await findings(over: api) })
    }
  )

  /// Walks on pages and an emulated API of its own, in memory: nothing of it can be seen elsewhere.
  private static func findings(over api: EmulatedAuthAPI) async -> FlowWalker.Findings {
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
    do {
      let composition = try Composition(
        configuration,
        logger: Logger(label: "walks") { _ in SwiftLogNoOpLogHandler() }
      )
      let walker = try FlowWalker(
        over: InProcessTransport(to: composition.handler, givesWay: true),
        host: "localhost:8080",
        api: api.option
      )
      return await walker.findings()
    } catch {
      return FlowWalker.Findings(strayed: ["\(error)"])
    }
  }
}
