internal import HTTPExchange

/// A form of the workbench; all of them carry the same unguessable token (S23).
struct WorkbenchForm {
  /// One line to fill in, or a few to choose from.
  struct Line {
    var name: String
    var label: String
    var value = ""
    var choices: [String] = []
  }

  /// Its id, unique on the page.
  var name: String
  var tool: Tool
  /// What the server is to do.
  var action: String
  var hidden: [String: String] = [:]
  var lines: [Line] = []
  var button: String

  /// What is filled in is what the page is for.
  private var weight: String { lines.isEmpty ? "quiet" : "primary" }

  func html(token: String) -> String {
    let fixed = [("form_token", token), ("action", action)] + hidden.sorted { $0.key < $1.key }
    let inputs = fixed.map { name, value in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTMLText.escaped(value))\">"
    }
    return """
      <form id="\(HTMLText.escaped(name))" class="form form-\(weight)" method="post" \
      action="\(tool.path)" novalidate>
      \((inputs + lines.map { html(of: $0) }).joined(separator: "\n"))
      <button type="submit" class="button button-\(weight)">\(HTMLText.escaped(button))</button>
      </form>
      """
  }

  private func html(of line: Line) -> String {
    let id = HTMLText.escaped("\(name)-\(line.name)")
    let control =
      line.choices.isEmpty
      ? "<input id=\"\(id)\" name=\"\(line.name)\" type=\"text\" "
        + "value=\"\(HTMLText.escaped(line.value))\" autocapitalize=\"none\" spellcheck=\"false\">"
      : "<select id=\"\(id)\" name=\"\(line.name)\">"
        + line.choices.map { "<option>\(HTMLText.escaped($0))</option>" }.joined() + "</select>"
    return """
      <div class="field" data-field="\(line.name)">
      <label for="\(id)">\(HTMLText.escaped(line.label))</label>
      <div class="control">\(control)</div>
      </div>
      """
  }
}
