internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

extension BrandBench {
  /// What comes of a form: a page, or a brand to keep.
  enum Outcome {
    case page(WorkbenchDocument)
    case written
    case download(Brand)
  }

  /// - Throws: A refusal for a form that is none of these, or a file that cannot be written.
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
      brand = try Brand(typed: texts)
      try check(brand)
    } catch {
      var document = document(texts, in: frame, since: before, problems: error.problems)
      document.refusal = .invalid(error.description)
      return .page(document)
    }
    switch form["action"] {
    case "preview": return .page(document(texts, in: frame, since: before))
    case "download" where file == nil: return .download(brand)
    case "write" where file != nil:
      guard before == nil || before == version else {
        // What an editor has saved is not lost without a word; whoever presses once more means it.
        var document = document(texts, in: frame)
        document.refusal = .invalid(
          "The file has changed since this page was opened. Write it again to replace that."
        )
        return .page(document)
      }
      try keep(brand)
      return .written
    default: throw .malformed("There is no such form here.")
    }
  }

  /// Writes a brand to the file, as `PUT brand` does.
  ///
  /// - Throws: A refusal where there is no file, or it cannot be written.
  func keep(_ brand: Brand) throws(BackstageRefusal) {
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

  /// What the brand says now, for programs.
  var facts: JSON {
    .object(current().texts.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
  }

  private func document(
    _ texts: [String: String],
    in frame: WorkbenchFrame,
    since before: String? = nil,
    problems: [BrandProblem] = []
  ) -> WorkbenchDocument {
    WorkbenchDocument(
      tool: .brand,
      frame: frame,
      content: content(texts, frame.context.token, since: before, problems: problems)
    )
  }

  /// The values as a query, in the order of their names.
  static func query(_ texts: [String: String]) -> String {
    var form = FormData()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { form.append(name, text) }
    return texts.isEmpty ? "" : "?" + String(decoding: form.encoded, as: UTF8.self)
  }
}

extension Brand {
  /// The brand as a file to keep.
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
