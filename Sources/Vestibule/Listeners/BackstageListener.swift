internal import Backstage
internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages
internal import Site

/// Backstage: JSON for programs, the workbench and the atlas for people, and the emulated API's browser pages.
final class BackstageListener: HTTPHandler {
  private let api: BackstageAPI
  private let workbench: BackstagePages
  private let atlas: AtlasPages
  private let brandPreview: BrandPreview
  private let browserPages: EmulatedBrowserPages
  let stories: Stories

  /// - Parameters:
  ///   - emulation: The emulated API and its worlds.
  ///   - renderer: Renders the atlas and the workbench.
  ///   - site: Knows where a visitor stands.
  ///   - publicFiles: The static files of the pages.
  ///   - origins: The origins under which people reach it.
  ///   - brandFolder: Where a brand's files are.
  ///   - report: Takes unexpected errors.
  ///   - turnedAway: Takes the requests that it turns away.
  ///   - standpoint: Brings browsers to states of the pages.
  ///   - rehearsal: Finds out how the pages show the API's errors.
  /// - Throws: `TemplateFault` if a template of the workbench cannot be used.
  init(
    _ emulation: Emulation,
    _ renderer: PageRenderer,
    _ site: Site,
    publicFiles: StaticFiles,
    at origins: OwnOrigins,
    brandFolder: BrandFolder,
    report: UnexpectedErrorReport,
    turnedAway: @escaping TurnedAwayReport,
    standpoint: Standpoint?,
    rehearsal: ErrorRehearsal?
  ) throws(TemplateFault) {
    let told = BackstageAPI(
      worlds: emulation.worlds,
      at: origins,
      report: report,
      standpoint: standpoint
    )
    stories = .through(site, emulation, told, scheme: origins.scheme)
    let recorder = Recorder(
      emulation.recordings,
      under: emulation.options,
      endOfVisit: site.endOfVisit(of:)
    )
    let brand = BrandBench(brandFolder) { renderer.look }
    api = BackstageAPI(
      worlds: emulation.worlds,
      at: origins,
      report: report,
      standpoint: standpoint,
      rehearsal: rehearsal,
      stories: stories,
      brand: brand,
      recorder: recorder,
      visit: site.visitName(of:)
    ).reporting(turnedAway)
    workbench = try BackstagePages(
      worlds: emulation.worlds,
      renderer: renderer,
      secret: emulation.formSecret,
      at: origins,
      report: report,
      brand: brand,
      shortcut: .through(site),
      standpoint: standpoint,
      rehearsal: rehearsal,
      walked: .over(emulation.api),
      stories: stories,
      recorder: recorder,
      standing: { site.places(of: $0).map(\.path) },
      statusOfState: { $0.status },
      visit: site.visitName(of:),
      timeZone: site.timeZone(of:),
      turnedAway: turnedAway,
      memory: emulation.backstageMemory
    )
    atlas = AtlasPages(renderer, over: emulation.api) { publicFiles.bytes(at: $0) }
    brandPreview = BrandPreview(renderer: renderer, folder: brandFolder, api: emulation.api)
    browserPages = EmulatedBrowserPages(emulation, language: site.language(of:))
  }

  func respond(to request: Request) async -> Response {
    if request.isForBackstageAPI { return await api.respond(to: request) }
    if let refusal = workbench.refusalOfForeignPage(request) { return refusal }
    if let page = atlas.answer(to: request) ?? brandPreview.answer(to: request) { return page }
    if let page = await browserPages.answer(to: request) { return page }
    return await workbench.respond(to: request)
  }

  /// The page for a refusal of the server's own.
  func refusal(_ status: HTTPResponse.Status, _ request: Request) -> Response {
    workbench.refusal(status, request)
  }
}
