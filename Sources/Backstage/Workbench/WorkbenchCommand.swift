internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The command of a workbench form: the JSON calls that carry it out, and the notice that follows.
struct WorkbenchCommand {
  /// The page that follows once a form has been carried out.
  enum Destination {
    /// The page that the form was on, or else its tool.
    case back
    case world(WorldName)
  }

  /// The calls; empty if the form only goes somewhere.
  var calls: [BackstageCall]
  var destination = Destination.back
  /// A sentence that names the effect.
  var notice: @Sendable (World, Moments) -> String

  private init(
    _ method: HTTPRequest.Method,
    _ path: [String],
    _ body: JSON? = nil,
    notice: @escaping @Sendable (World, Moments) -> String
  ) {
    calls = [BackstageCall(method: method, path: path, body: body)]
    self.notice = notice
  }

  init(
    _ method: HTTPRequest.Method,
    _ path: [String],
    _ body: JSON? = nil,
    told words: String
  ) {
    self.init(method, path, body) { _, _ in words }
  }

  /// The command of a form in which nothing was changed.
  static var nothing: Self {
    var command = Self(.patch, [], told: "Nothing was changed.")
    command.calls = []
    return command
  }

  /// - Throws: A refusal for an unknown form, or for every setting that was changed elsewhere
  ///   meanwhile or has an impossible value.
  init(
    _ form: FormData,
    on tool: WorkbenchTool,
    in world: World,
    behind api: EmulatedAPI
  ) throws(BackstageRefusal) {
    let id = form["id"] ?? ""
    switch (tool, form["action"] ?? "") {
    case (.clock, let action): try self.init(clock: action, form)
    case (.inbox, "delete"):
      self.init(.delete, ["messages", id], told: "The message is deleted.")
    case (.inbox, "clear"): self.init(.delete, ["messages"], told: "All messages are deleted.")
    case (.faults, "add"):
      self.init(.post, ["faults"], Self.fault(in: form), told: "The fault waits for its calls.")
    case (.faults, "error"):
      guard let error = KnownError.all(behind: api).first(where: { $0.id == form["code"] }) else {
        throw .invalid("There is no such error.", at: "code", "one of the list is expected")
      }
      let words = "The next change is refused with \(error.code)."
      self.init(.post, ["faults"], error.fault, told: words)
    case (.faults, "delete"):
      self.init(.delete, ["faults", id], told: "The fault is removed.")
    case (.faults, "clear"): self.init(.delete, ["faults"], told: "All faults are removed.")
    case (.traces, "clear"): self.init(.delete, ["traces"], told: "All traces are deleted.")
    case (.settings, "change"):
      let lines = FormField.settings(of: world.settings, behind: api)
      let changes = Self.settings(in: try form.changes(over: lines))
      let settings = world.settings
      let faults = BackstageRefusal.faults(in: changes) { value throws(DocumentError) in
        _ = try settings.merging(value)
      }
      if let refusal = BackstageRefusal(of: faults) { throw refusal }
      if changes == .object([]) {
        self = .nothing
      } else {
        self.init(.patch, ["instance"], changes, told: "The settings are changed.")
      }
    case (.settings, "preset"):
      guard let preset = SettingPreset.all(behind: api).first(where: { $0.name == id }) else {
        throw .malformed("There is no such form here.")
      }
      let words = "\(preset.title): \(preset.words)"
      self.init(.patch, ["instance"], preset.changes, told: words)
    case (.world, "reset"):
      self.init(.post, ["reset"], told: "The world \(world.name) is as it was at the beginning.")
    case (.world, "open"): self = try Self(opening: form["name"] ?? "")
    case (.world, "drop"):
      self.init(.delete, ["worlds", world.name.text], told: "The world \(world.name) is dropped.")
      destination = .world(.main)
    case (.inbox, _), (.users, _), (.faults, _), (.traces, _), (.settings, _), (.brand, _),
      (.atlas, _), (.errors, _), (.map, _), (.stories, _), (.recordings, _), (.world, _):
      throw .malformed("There is no such form here.")
    }
  }

  private init(clock action: String, _ form: FormData) throws(BackstageRefusal) {
    switch action {
    case "advance":
      let seconds = Self.value(of: form["advance_seconds"])
      self.init(.post, ["clock"], ["advance_seconds": seconds]) { world, moments in
        let count = Int((seconds.double ?? 0).rounded())
        let length = moments.length(of: abs(count))
        return
          "Clock moved \(count < 0 ? "back " : "")\(length) to \(moments.clock(world.clock.now))"
      }
    case "set":
      self.init(.post, ["clock"], ["set": .string(form["set"] ?? "")]) { world, moments in
        "Clock set to \(moments.inFull(world.clock.now))"
      }
    case "freeze":
      self.init(.post, ["clock"], ["freeze": true]) { world, moments in
        "Clock frozen at \(moments.clock(world.clock.now))"
      }
    case "run":
      self.init(.post, ["clock"], ["freeze": false]) { world, moments in
        "Clock runs on from \(moments.clock(world.clock.now))"
      }
    case "reset":
      self.init(.post, ["clock"], ["reset": true]) { world, moments in
        "Clock back to real time: \(moments.inFull(world.clock.now))"
      }
    default: throw .malformed("There is no such form here.")
    }
  }

  private init(opening text: String) throws(BackstageRefusal) {
    guard let name = WorldName(text.trimmingCharacters(in: .whitespaces).lowercased()) else {
      let words = "1 to 40 of the letters a to z, digits and hyphens are expected"
      throw .invalid("That is not the name of a world.", at: "name", words)
    }
    calls = []
    destination = .world(name)
    notice = { _, _ in "This is the world \(name)." }
  }

  private static func fault(in form: FormData) -> JSON {
    func text(_ name: String) -> JSON {
      form[name].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }
    var fault: JSON = [
      "match": ["method": text("match.method"), "path": text("match.path")],
      "fault": text("fault"),
    ]
    for name in ["times", "seconds"] {
      if let text = form[name], !text.isEmpty { fault[name] = value(of: text) }
    }
    return fault
  }

  /// The settings in the form; the hidden field before a switch says when it is off.
  private static func settings(in form: FormData) -> JSON {
    .object(
      InstanceSettings.keys.compactMap { key in
        form.values(of: key.name).last.map { JSON.Member(key.name, key.shape.value(typed: $0)) }
      }
    )
  }

  /// The text as JSON if it is valid, otherwise as a string.
  private static func value(of text: String?) -> JSON {
    let text = (text ?? "").trimmingCharacters(in: .whitespaces)
    return JSON(decoding: Array(text.utf8)) ?? .string(text)
  }
}
