internal import AuthFlow
internal import Foundation
internal import Pages

extension Form {
  /// Whether the request came from this form: hidden fields distinguish forms with the same action.
  func isSource(of request: SeenRequest) -> Bool {
    action.path == request.path
      && fields.filter { $0.kind == .hidden }.allSatisfy { field in
        request.form.contains { $0.name == field.field.name && $0.value == field.value }
      }
  }

  /// The values that were typed or chosen: those that differ from the page's own.
  func typed(in sent: [SeenRequest.Pair]) -> [SeenRequest.Pair] {
    var typed = sent.filter { pair in
      guard !Self.unseen.contains(pair.name) else { return false }
      guard let field = fields.first(where: { $0.field.name == pair.name }) else { return true }
      if field.kind == .checkbox { return !field.isChecked || field.value != pair.value }
      return (field.value ?? "") != pair.value
    }
    for field in fields where field.kind == .checkbox && field.isChecked {
      let name = field.field.name
      if !sent.contains(where: { $0.name == name }) { typed.append((name, "")) }
    }
    return typed
  }

  /// A sentence that names the fields, never what was typed into them.
  func words(for typed: [SeenRequest.Pair]) -> String {
    let names = typed.map(\.name)
    if names.isEmpty { return "Sends the form \(name)." }
    return "Fills in \(names.formatted(.list(type: .and).locale(Locale(identifier: "en_GB"))))."
  }

  private static let unseen: Set = ["form_token", Stories.field]
}
