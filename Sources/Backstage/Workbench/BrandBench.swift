internal import AuthFlow
internal import Foundation
internal import Locking
public import Pages

/// The brand that is served, and how to try out and save another.
public struct BrandBench: Sendable {
  /// The brand file at one moment.
  public struct Reading: Sendable {
    /// The brand in the file; if that cannot be used, the last one that could.
    let brand: Brand
    /// Identifies the file's content, on one line because browsers change line ends in form fields.
    let version: String
    /// Why the file cannot be used; nil if it can.
    let fault: BrandFault?

    /// - Parameters:
    ///   - brand: The brand in the file, or the last one that could be used.
    ///   - version: Identifies the file's content, on one line.
    ///   - fault: Why the file cannot be used; nil if it can.
    public init(_ brand: Brand, version: String, fault: BrandFault? = nil) {
      (self.brand, self.version, self.fault) = (brand, version, fault)
    }
  }

  /// Reads the file as it is now.
  let read: @Sendable () -> Reading
  /// The path of the brand file; nil if brands can only be downloaded.
  let file: String?
  /// Checks that all files that a brand names exist.
  let check: @Sendable (Brand) throws(BrandFault) -> Void
  /// Writes a brand to the file.
  let write: @Sendable (Brand) throws -> Void
  /// One at a time: nobody writes the file between another's look at it and writing it.
  let writing = Locked(())

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

  /// The path of the pages that show the brand in their query.
  public static let previewPath = "/backstage/brand/preview"

  /// The pages of a preview, by the last part of their path.
  static let previews: [(name: String, title: String)] = [
    ("sign-in", "Sign in"), ("error", "Sign in, with an error"), ("code", "A code"),
    ("locked", "Locked"),
  ]

  /// The form field with the version of the file when the page was opened.
  static let beforeField = "before"

  /// The form with those values, and previews of the pages with them.
  ///
  /// - Parameters:
  ///   - texts: The values by key; nil for those of the file.
  ///   - reading: The file as it is now.
  ///   - token: The token of the workbench's forms.
  ///   - before: The file's version when the values were taken from it; nil for the current one.
  ///   - problems: The problems of the values.
  /// - Returns: The forms, the previews, and why the file's own values are not among them.
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
      refusal: refusal(of: reading, " What is shown here is the last brand that could be."),
      lead: file == nil
        ? ["There is no file to write it to: start with --brand FILE, or download it."] : [],
      forms: forms,
      previews: Self.previews.map { name, title in
        .init(title: title, address: "\(Self.previewPath)/\(name)\(Self.query(said))")
      }
    )
  }

  /// The form that writes those values to the file, or downloads them if there is none.
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
    // Nobody knows what would be lost with an unusable file, so the button names it.
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

  /// A field for each key, named as in the file.
  private static func lines(_ texts: [String: String]) -> [FormField] {
    Brand.Key.allCases.map { key in
      .line(key.name, label: key.label, value: texts[key.name] ?? "", hint: key.hint)
    }
  }
}
