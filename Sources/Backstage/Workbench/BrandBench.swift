internal import AuthFlow
internal import Foundation
public import Pages

/// The brand that is served, and how another one is tried out and written down.
public struct BrandBench: Sendable {
  /// The brand as its file says it now.
  let current: @Sendable () -> Brand
  /// Where one is written to; nil where it can only be downloaded.
  let file: String?
  /// Whether all files that a brand names are there.
  let check: @Sendable (Brand) throws(BrandFault) -> Void
  /// Writes it to the file.
  let write: @Sendable (Brand) throws -> Void

  public init(
    current: @escaping @Sendable () -> Brand,
    file: String?,
    check: @escaping @Sendable (Brand) throws(BrandFault) -> Void,
    write: @escaping @Sendable (Brand) throws -> Void
  ) {
    self.current = current
    self.file = file
    self.check = check
    self.write = write
  }

  /// No brand yet, and nowhere to write one.
  public static let none = BrandBench(
    current: { Brand() },
    file: nil,
    check: { _ throws(BrandFault) in },
    write: { _ in }
  )

  /// Where the pages are that show a brand which stands in their query.
  public static let previewPath = "/backstage/brand/preview"

  /// The pages of a preview, by the last part of their path.
  static let previews: [(name: String, title: String)] = [
    ("sign-in", "Sign in"), ("error", "Sign in, with an error"), ("code", "A code"),
    ("locked", "Locked"),
  ]

  /// The field by which a form tells what the file said when its page was opened.
  static let beforeField = "before"
  /// What the file says now, in a line: a browser sends the ends of lines as others.
  var version: String { current().json.base64EncodedString() }

  /// The form with those values, and what the pages look like with them.
  ///
  /// - Parameters:
  ///   - texts: The values, by their keys.
  ///   - token: Of the forms of the workbench.
  ///   - before: What the file said when the values were taken from it; nil for what it says now.
  ///   - problems: What is wrong with them.
  /// - Returns: The forms, and the previews.
  func content(
    _ texts: [String: String],
    _ token: String,
    since before: String? = nil,
    problems: [BrandProblem] = []
  ) -> WorkbenchContent {
    let said = texts.filter { !$0.value.isEmpty }
    let before = [Self.beforeField: before ?? version]
    let wrong = problems.reduce(into: [String: [String]]()) { wrong, problem in
      for key in problem.keys { wrong[key, default: []].append(problem.description) }
    }
    var forms = [
      form(
        "preview",
        token,
        hidden: before,
        lines: Self.lines(texts),
        wrong: wrong,
        button: "Preview"
      )
    ]
    if problems.isEmpty {
      forms.append(
        file.map { file in
          form("write", token, hidden: said.merging(before) { $1 }, button: "Write \(file)")
        }
          ?? form("download", token, hidden: said, button: "Download brand.json")
      )
    }
    return WorkbenchContent(
      forms: forms,
      previews: Self.previews.map { name, title in
        .init(title: title, address: "\(Self.previewPath)/\(name)\(Self.query(said))")
      }
    )
  }

  private func form(
    _ action: String,
    _ token: String,
    hidden: [String: String] = [:],
    lines: [FormField] = [],
    wrong: [String: [String]] = [:],
    button: String
  ) -> WorkbenchForm {
    WorkbenchForm(
      name: action,
      tool: .brand,
      token: token,
      action: action,
      hidden: hidden,
      lines: lines,
      button: button,
      wrong: wrong
    )
  }

  /// A field for each key, with the name that the key has in the file.
  private static func lines(_ texts: [String: String]) -> [FormField] {
    Brand.Key.allCases.map { key in
      .line(key.name, label: key.label, value: texts[key.name] ?? "", hint: key.hint)
    }
  }
}
