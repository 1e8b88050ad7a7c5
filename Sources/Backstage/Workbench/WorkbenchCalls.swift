internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// What a form of the workbench asks for, as the JSON call that does the same.
extension BackstageCall {
  /// - Throws: A refusal for a form that is none of the workbench.
  init(_ form: Form, on tool: WorkbenchTool) throws(BackstageRefusal) {
    let id = form["id"] ?? ""
    switch (tool, form["action"] ?? "") {
    case (.clock, "advance"):
      self.init(.post, ["clock"], ["advance_seconds": Self.value(of: form["advance_seconds"])])
    case (.clock, "set"):
      self.init(.post, ["clock"], ["set": .string(form["set"] ?? "")])
    case (.clock, "freeze"): self.init(.post, ["clock"], ["freeze": .bool(true)])
    case (.clock, "run"): self.init(.post, ["clock"], ["freeze": .bool(false)])
    case (.clock, "reset"): self.init(.post, ["clock"], ["reset": .bool(true)])
    case (.users, "unlock"): self.init(.patch, ["users", id], ["locked": .null])
    case (.users, "delete"): self.init(.delete, ["users", id])
    case (.faults, "add"): self.init(.post, ["faults"], Self.fault(in: form))
    case (.faults, "delete"): self.init(.delete, ["faults", id])
    case (.faults, "clear"): self.init(.delete, ["faults"])
    case (.traces, "clear"): self.init(.delete, ["traces"])
    case (.settings, "change"):
      self.init(.patch, ["instance"], Self.settings(in: form))
    case (.settings, "reset"): self.init(.post, ["reset"])
    case (.inbox, _), (.users, _), (.clock, _), (.faults, _), (.traces, _), (.settings, _),
      (.map, _):
      throw .malformed("There is no such form here.")
    }
  }

  private init(_ method: HTTPRequest.Method, _ path: [String], _ body: JSON? = nil) {
    self.init(method: method, path: path, body: body)
  }

  private static func fault(in form: Form) -> JSON {
    func text(_ name: String) -> JSON {
      form[name].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }
    let times = form["times"] ?? ""
    var fault: JSON = [
      "match": ["method": text("method"), "path": text("path")], "fault": text("fault"),
    ]
    if !times.isEmpty { fault["times"] = value(of: times) }
    return fault
  }

  /// The settings that the form has; a switch that is off says so by the field before it.
  private static func settings(in form: Form) -> JSON {
    .object(
      InstanceSettings.keys.compactMap { key in
        form.values(of: key.name).last.map { JSON.Member(key.name, key.shape.value(typed: $0)) }
      }
    )
  }

  /// What was typed as JSON where it is some, else as the text that it is.
  private static func value(of text: String?) -> JSON {
    let text = (text ?? "").trimmingCharacters(in: .whitespaces)
    return JSON(decoding: Array(text.utf8)) ?? .string(text)
  }
}
