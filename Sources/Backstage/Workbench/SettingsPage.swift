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
    let notes = context.world.settings.notes(over: api, of: context.world.application)
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
      let remarks = notes.filter { note in fields.contains { $0.field.name == note.key } }
      return WorkbenchGroup(
        heading: group.rawValue,
        words: remarks.isEmpty ? nil : remarks.map { "Note: \($0.words)." }.joined(separator: " "),
        forms: [form],
        isWide: true
      )
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
