internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Localization
internal import Pages

/// The part of the atlas to show, as the query says.
struct GalleryQuery {
  /// How wide a page is shown, in pixels.
  enum Width: Int, CaseIterable { case phone = 320, tablet = 768, desktop = 1280 }

  var words: String
  var page: String?
  var flow: FlowName?
  var width: Width
  var setting: AtlasSetting
  /// The state that is shown alone.
  var state: String?
  /// Whether the page is for printing.
  var isSheet: Bool

  init(_ query: FormData) {
    words = query["q"] ?? ""
    page = query["page"].flatMap { $0.isEmpty ? nil : $0 }
    flow = query["flow"].flatMap(FlowName.init)
    width = query["width"].flatMap { Int($0) }.flatMap(Width.init) ?? .phone
    setting = AtlasSetting { query[$0] }
    state = query["state"]
    isSheet = query["sheet"] != nil
  }

  /// The API whose states are shown; nil for any.
  var api: EmulatedAPI? { setting.api.flatMap(EmulatedAPI.init) }

  var isNarrowed: Bool {
    page != nil || flow != nil || api != nil || !SearchWords(words).isEmpty
  }

  /// Whether its name contains every word, and it belongs to the page and flow.
  func finds(_ example: PageExample) -> Bool {
    (page ?? example.pageName) == example.pageName
      && (flow ?? example.page.flow) == example.page.flow
      && SearchWords(words).stand(in: [example.name])
  }

  /// The address of the gallery with the same query, plus the given parts.
  func address(state: String? = nil, isSheet: Bool = false) -> String {
    var form = FormData()
    if let state { form.append("state", state) }
    if !words.isEmpty { form.append("q", words) }
    if let page { form.append("page", page) }
    if let flow { form.append("flow", flow.rawValue) }
    if width != .phone { form.append("width", String(width.rawValue)) }
    for (name, value) in setting.parameters { form.append(name, value) }
    if isSheet { form.append("sheet", "1") }
    return form.address(at: WorkbenchTool.atlas.path)
  }

  /// The address of that state alone, or as a picture.
  func address(of example: PageExample, isStill: Bool = false) -> String {
    var setting = setting
    setting.isStill = isStill
    var form = FormData()
    for (name, value) in setting.parameters { form.append(name, value) }
    return form.address(at: "\(WorkbenchTool.atlas.path)/\(example.name)")
  }
}

/// The atlas as pictures: all states that match, or one with its neighbours.
struct Gallery {
  var query: GalleryQuery
  /// In the order of the examples.
  var found: [PageExample]
  /// The state that is shown alone.
  var opened: PageExample?
  var controls: FormView
  /// The form that brings this browser to the state that is shown alone.
  var standing: WorkbenchForm?
  /// Why there is no such form.
  var obstacle: String?
  /// What the pictures do not follow, as a sentence after their number; nil if they show all.
  let remark: String?
  let statusOf: @Sendable (PageExample) -> Int

  /// - Throws: A refusal for a state that does not exist.
  init(
    _ context: WorkbenchContext,
    languages: [LanguageTag],
    isBranded: Bool,
    statusOf: @escaping @Sendable (PageExample) -> Int,
    standpoint: Standpoint?
  ) throws(BackstageRefusal) {
    query = GalleryQuery(context.request.queryParameters)
    // If the browser could not be brought to a state, that state stays open.
    if let sent = context.refused?.form, let page = sent["page"], let state = sent["of"] {
      query.state = Atlas.example(named: "\(page)/\(state)")?.name
    }
    found = PageExample.all.filter(query.finds)
    if let api = query.api, let standpoint {
      let isEmulated = api == context.worlds.api
      found = found.filter { standpoint.has($0, overEmulated: isEmulated) }
    }
    if let state = query.state {
      guard let example = Atlas.example(named: state) else { throw .notFound }
      opened = example
      obstacle = standpoint?.obstacle(to: example)
      standing = standpoint == nil || obstacle != nil ? nil : Self.standing(example, context)
    }
    self.statusOf = statusOf
    remark =
      context.world.settings == InstanceSettings()
      ? nil : "They are examples, and do not follow the settings of this world."
    controls = FormView(
      "gallery",
      action: WorkbenchTool.atlas.path,
      token: "",
      fields: Self.controls(query, languages, isBranded),
      button: "Show",
      weight: .quiet
    )
  }

  private static func standing(
    _ example: PageExample,
    _ context: WorkbenchContext
  ) -> WorkbenchForm {
    context.form(
      "stand",
      on: .atlas,
      hidden: ["page": example.pageName, "of": example.state],
      button: "Stand here in this browser",
      weight: .quiet
    )
  }

  /// The state at that distance from the one that is shown alone.
  func neighbour(_ distance: Int) -> PageExample? {
    guard let opened, let index = found.firstIndex(where: { $0.name == opened.name }) else {
      return nil
    }
    return found.indices.contains(index + distance) ? found[index + distance] : nil
  }

  private static func controls(
    _ query: GalleryQuery,
    _ languages: [LanguageTag],
    _ isBranded: Bool
  ) -> [FormField] {
    let pages = Atlas.pages.map { ($0.page, $0.page) }
    let setting = query.setting
    var fields: [FormField] = [
      .line("q", label: "Search", value: query.words),
      .choice("page", label: "Page", among: [("", "Any")] + pages, chosen: query.page ?? ""),
      .choice(
        "flow",
        label: "Flow",
        among: [("", "Any")] + FlowName.allCases.map { ($0.rawValue, $0.rawValue) },
        chosen: query.flow?.rawValue ?? ""
      ),
      .choice(
        "width",
        label: "Width",
        among: GalleryQuery.Width.allCases.map { ("\($0.rawValue)", "\($0.rawValue) px") },
        chosen: "\(query.width.rawValue)"
      ),
      .choice(
        "scheme",
        label: "Scheme",
        among: [("", "Yours"), ("light", "Light"), ("dark", "Dark")],
        chosen: setting.scheme?.rawValue ?? ""
      ),
      .choice(
        "language",
        label: "Language",
        among: languages.map { ($0.text, $0.text) },
        chosen: setting.language?.text ?? LanguageTag.english.text
      ),
      .choice(
        "api",
        label: "API",
        among: [("", "Any")]
          + EmulatedAPI.allCases.map { ($0.rawValue, $0.rawValue.capitalized) },
        chosen: query.api?.rawValue ?? ""
      ),
      .choice(
        "format",
        label: "Format",
        among: AtlasSetting.Format.allCases.map { ($0.rawValue, $0.rawValue.uppercased()) },
        chosen: setting.format.rawValue
      ),
    ]
    if isBranded {
      let choices = [("on", "Yours"), ("off", "None")]
      let chosen = setting.isBranded ? "on" : "off"
      fields.append(.choice("brand", label: "Brand", among: choices, chosen: chosen))
    }
    if let state = query.state {
      fields.append(FormField(Field(named: "state"), kind: .hidden, label: nil, value: state))
    }
    return fields
  }
}
