internal import AuthFlow
internal import Foundation
public import Pages

/// The brand that is served, and how another one is tried out and written down.
public struct BrandBench: Sendable {
  /// The brand file at one moment.
  public struct Reading: Sendable {
    /// The brand as the file says it; where that cannot be used, the last one that could.
    let brand: Brand
    /// Another for each content of the file, in one line: a browser sends the ends of lines as others.
    let version: String
    /// Why what the file says cannot be used.
    let fault: BrandFault?

    /// - Parameters:
    ///   - brand: As the file says it, or the last one that could be used.
    ///   - version: Another for each content of the file, in one line.
    ///   - fault: Why what the file says cannot be used; nil where it can.
    public init(_ brand: Brand, version: String, fault: BrandFault? = nil) {
      (self.brand, self.version, self.fault) = (brand, version, fault)
    }
  }

  /// Looks what the file says now.
  let read: @Sendable () -> Reading
  /// Where one is written to; nil where it can only be downloaded.
  let file: String?
  /// Whether all files that a brand names are there.
  let check: @Sendable (Brand) throws(BrandFault) -> Void
  /// Writes it to the file.
  let write: @Sendable (Brand) throws -> Void

  public init(
    read: @escaping @Sendable () -> Reading,
    file: String?,
    check: @escaping @Sendable (Brand) throws(BrandFault) -> Void,
    write: @escaping @Sendable (Brand) throws -> Void
  ) {
    self.read = read
    self.file = file
    self.check = check
    self.write = write
  }

  /// No brand yet, and nowhere to write one.
  public static let none = BrandBench(
    read: { Reading(Brand(), version: "") },
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

  /// The form with those values, and what the pages look like with them.
  ///
  /// - Parameters:
  ///   - texts: The values, by their keys; nil for those of the file.
  ///   - reading: What the file says now.
  ///   - token: Of the forms of the workbench.
  ///   - before: What the file said when the values were taken from it; nil for what it says now.
  ///   - problems: What is wrong with them.
  /// - Returns: The forms, the previews, and why what the file says is not among them.
  func content(
    _ texts: [String: String]? = nil,
    over reading: Reading,
    _ token: String,
    since before: String? = nil,
    problems: [BrandProblem] = []
  ) -> WorkbenchContent {
    let texts = texts ?? reading.brand.texts
    let said = texts.filter { !$0.value.isEmpty }
    let before = [Self.beforeField: before ?? reading.version]
    let wrong = problems.reduce(into: [String: [String]]()) { wrong, problem in
      for key in problem.keys { wrong[key, default: []].append(problem.description) }
    }
    var preview = form(
      "preview",
      token,
      hidden: before,
      lines: Self.lines(texts),
      wrong: wrong,
      button: "Preview"
    )
    preview.isUnsent = said != reading.brand.texts.filter { !$0.value.isEmpty }
    var forms = [preview]
    if problems.isEmpty {
      forms.append(keepingForm(said, token, before, isOverFault: reading.fault != nil))
    }
    return WorkbenchContent(
      refusal: refusal(of: reading, " What stands here is of the last brand that could be."),
      forms: forms,
      previews: Self.previews.map { name, title in
        .init(title: title, address: "\(Self.previewPath)/\(name)\(Self.query(said))")
      }
    )
  }

  /// The form that writes those values to the file, or has them downloaded where there is none.
  private func keepingForm(
    _ said: [String: String],
    _ token: String,
    _ before: [String: String],
    isOverFault: Bool
  ) -> WorkbenchForm {
    guard let file else {
      return form("download", token, hidden: said, button: "Download brand.json")
    }
    let hidden = said.merging(before) { $1 }
    // Of what cannot be read nobody knows what would be lost: it is asked for by name.
    return isOverFault
      ? form(
        "write",
        doing: "replace",
        token,
        hidden: hidden,
        button: "Replace \(file), which cannot be used"
      )
      : form("write", token, hidden: hidden, button: "Write \(file)")
  }

  private func form(
    _ name: String,
    doing action: String? = nil,
    _ token: String,
    hidden: [String: String] = [:],
    lines: [FormField] = [],
    wrong: [String: [String]] = [:],
    button: String
  ) -> WorkbenchForm {
    WorkbenchForm(
      name: name,
      tool: .brand,
      token: token,
      action: action ?? name,
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
