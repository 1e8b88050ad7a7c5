/// What a page is, in short lines that can be compared: status, page, step, its forms with their
/// fields, and the codes of its errors and notices.
///
/// It has no wording, and nothing that varies between runs.
///
/// Forms that end other sessions (`end-…`) are left out, because which other sessions exist has
/// nothing to do with the page.
///
///     status 422
///     page sign-in
///     step identifier
///     form sign-in identifier password
///     at password form_password_incorrect
public struct PageOutline: Sendable, Hashable, CustomStringConvertible {
  /// Sorted by their UTF-8 bytes.
  public let lines: [String]

  /// - Parameter lines: In any order.
  public init(_ lines: [String]) {
    self.lines = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  public var description: String { lines.joined(separator: "\n") }
}

extension PageSnapshot {
  public var outline: PageOutline {
    var lines = ["status \(status)", "page \(page)", "step \(step)"]
    for form in forms where !form.name.hasPrefix(Self.endingPrefix) {
      lines.append((["form", form.name] + form.visibleFields).joined(separator: " "))
      for field in form.fields {
        lines += (field.errors ?? []).map { "at \(field.name) \($0.code)" }
      }
    }
    lines += errorCodes.map { "error \($0)" } + noticeCodes.map { "notice \($0)" }
    return PageOutline(lines)
  }

  /// The prefix of the names of forms that end other sessions.
  static let endingPrefix = "end-"
}

extension PageSnapshot.Form {
  /// The names of the fields that a person sees.
  public var visibleFields: [String] { fields.filter { $0.type != "hidden" }.map(\.name) }
}

extension Story.Expectation {
  /// The outline of the expected page; complete if the expectation names everything.
  public var outline: PageOutline {
    var lines = (errors ?? []).map { "error \($0)" } + (notices ?? []).map { "notice \($0)" }
    if let status { lines.append("status \(status)") }
    if let page { lines.append("page \(page)") }
    if let step { lines.append("step \(step)") }
    for (name, fields) in forms ?? [:] {
      lines.append((["form", name] + fields).joined(separator: " "))
    }
    for (field, codes) in fieldErrors { lines += codes.map { "at \(field) \($0)" } }
    return PageOutline(lines)
  }
}
