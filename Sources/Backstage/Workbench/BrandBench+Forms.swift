internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

extension BrandBench {
  /// The result of a form: a page, or a brand to keep.
  enum Outcome {
    case page(WorkbenchDocument)
    case written
    case download(Brand)
  }

  /// - Throws: A refusal for an unknown form, or for a file that cannot be written.
  func submit(
    _ form: FormData,
    in frame: WorkbenchFrame
  ) throws(BackstageRefusal) -> Outcome {
    let texts = Brand.Key.allCases.reduce(into: [String: String]()) { texts, key in
      texts[key.name] = form[key.name]
    }
    let before = form[Self.beforeField]
    let brand: Brand
    do throws(BrandFault) {
      brand = try Brand(typed: texts, checkedBy: check)
    } catch {
      let problems = error.problems
      var document = document(texts, over: read(), in: frame, since: before, problems: problems)
      document.refusal = .invalid(error.description)
      document.listsProblems = !problems.contains(where: \.keys.isEmpty)
      return .page(document)
    }
    switch form["action"] {
    case "preview": return .page(document(texts, over: read(), in: frame, since: before))
    case "download" where file == nil: return .download(brand)
    case "write" where file != nil, "replace" where file != nil:
      // Changes that somebody has saved meanwhile are not overwritten silently: a second press
      // confirms it. A file can only be replaced in the version that was shown.
      let replaces = form["action"] == "replace"
      let refused = try writing.withLock { _ throws(BackstageRefusal) -> Reading? in
        let reading = read()
        guard before == reading.version || before == nil && !replaces,
          reading.fault == nil || replaces
        else { return reading }
        try keepInTurn(brand)
        return nil
      }
      guard let reading = refused else { return .written }
      var document = document(texts, over: reading, in: frame)
      if before != reading.version, before != nil || replaces {
        let words = "The file has changed since this page was opened."
        document.refusal = .invalid(
          reading.fault.map { "\(words) It cannot be used as it is: \($0)" }
            ?? "\(words) Write it again to replace that."
        )
      }
      return .page(document)
    default: throw .malformed("There is no such form here.")
    }
  }

  /// Why the brand file cannot be used, and what is shown instead; nil if it can be used.
  func refusal(of reading: Reading, _ rest: String = "") -> BackstageRefusal? {
    reading.fault.map { fault in
      BackstageRefusal(
        .unusableBrand,
        "\(file ?? "The brand") cannot be used: \(fault).\(rest)"
      )
    }
  }

  /// Writes a brand to the file, as `PUT brand` does.
  ///
  /// - Throws: A refusal if there is no file, or it cannot be written.
  func keep(_ brand: Brand) throws(BackstageRefusal) {
    try writing.withLock { _ throws(BackstageRefusal) in try keepInTurn(brand) }
  }

  private func keepInTurn(_ brand: Brand) throws(BackstageRefusal) {
    guard let file else {
      throw BackstageRefusal(
        .noBrandFile,
        "There is no file to write: start with --brand FILE."
      )
    }
    do {
      try write(brand)
    } catch {
      throw BackstageRefusal(.unwritable, "The brand cannot be written: \(file)")
    }
  }

  /// The brand's current values, for programs.
  var facts: JSON {
    let texts = read().brand.texts.sorted { $0.key < $1.key }
    return .object(texts.map { .init($0.key, .string($0.value)) })
  }

  private func document(
    _ texts: [String: String],
    over reading: Reading,
    in frame: WorkbenchFrame,
    since before: String? = nil,
    problems: [BrandProblem] = []
  ) -> WorkbenchDocument {
    let token = frame.context.token
    let content = content(texts, over: reading, token, since: before, problems: problems)
    return WorkbenchDocument(
      tool: .brand,
      frame: frame,
      refusal: content.refusal,
      content: content
    )
  }

  /// The values as a query with its `?`, sorted by name.
  static func query(_ texts: [String: String]) -> String {
    var form = FormData()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { form.append(name, text) }
    return form.address(at: "")
  }
}

extension Brand {
  /// The brand as a download.
  var download: Response {
    Response(
      status: .ok,
      headerFields: [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"brand.json\"",
      ],
      body: Array(json)
    )
  }
}
