internal import AuthFlow
internal import Emulators
internal import HTTPExchange
internal import Pages

extension WorkbenchContent {
  /// The settings that the auth API uses, in groups, below presets for several of them.
  static func settings(_ context: WorkbenchContext) -> Self {
    let api = context.worlds.api
    let presets = SettingPreset.all(behind: api).map { preset in
      WorkbenchTile(
        title: preset.title,
        words: preset.words,
        form: context.form(
          preset.name,
          on: .settings,
          action: "preset",
          hidden: ["id": preset.name],
          button: "Set \(preset.title.lowercased())",
          weight: .quiet
        )
      )
    }
    let groups = SettingWords.Group.allCases.compactMap { group -> WorkbenchGroup? in
      let fields = FormField.settings(in: group, of: context.world.settings, behind: api)
      guard !fields.isEmpty else { return nil }
      let form = context.form(
        group.name,
        on: .settings,
        action: "change",
        hidden: ["id": group.name, FilledValues.field: FilledValues(of: fields).carried],
        lines: fields,
        button: "Save"
      )
      return WorkbenchGroup(heading: group.rawValue, forms: [form], isWide: true)
    }
    return Self(
      groups: [
        WorkbenchGroup(
          heading: "Presets",
          words: "One press changes several settings; the others stay as they are.",
          tiles: presets
        )
      ] + groups
    )
  }
}
