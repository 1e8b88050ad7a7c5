internal import AuthFlow
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

  /// The form with those values, and what the pages look like with them.
  func content(
    _ texts: [String: String],
    _ token: String,
    problems: [BrandProblem] = []
  ) -> WorkbenchContent {
    let said = texts.filter { !$0.value.isEmpty }
    let wrong = problems.reduce(into: [String: [String]]()) { wrong, problem in
      for key in problem.keys { wrong[key, default: []].append(problem.description) }
    }
    var forms = [form("preview", token, lines: Self.lines(texts), wrong: wrong, button: "Preview")]
    if problems.isEmpty {
      forms.append(
        file.map { form("write", token, hidden: said, button: "Write \($0)") }
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
