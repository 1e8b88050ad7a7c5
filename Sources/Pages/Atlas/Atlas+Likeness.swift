import AuthFlow
import Foundation
import Localization

/// Finds the example most like a page that somebody sees, by what the page says.
extension Atlas {
  /// The path that looks up a state: `?page=sign-in&step=…&code=…`, with a `code` for each message
  /// and notice.
  public static let lookUpPath = "/backstage/state"

  /// The state of the atlas that is most like a page, as `path(toStateLike:)` has written it.
  ///
  /// - Parameters:
  ///   - page: The name of the page.
  ///   - step: Which step of its flow it is.
  ///   - codes: The codes of its messages and notices.
  /// - Returns: The name of the state; nil where the atlas has no such page.
  public func name(like page: String, step: String?, codes: [String]) -> String? {
    let sought = Likeness(step: step ?? "", codes: Set(codes))
    return Self.all(of: page)
      .map { example in (example.name, likeness(of: example).distance(to: sought)) }
      .min { $0.1 < $1.1 }?.0
  }

  /// The address that looks up the state of the atlas most like a presented page.
  static func path(toStateLike presentation: Presentation) -> String {
    var path = ""
    // As long as most are, so that it does not grow by and by.
    path.reserveCapacity(160)
    path += "\(lookUpPath)?page=\(presentation.page)&step=\(presentation.step)"
    for message in presentation.general { path.append(code: message.code) }
    for field in presentation.fieldMessages {
      for message in field.messages { path.append(code: message.code) }
    }
    for (notice, _) in presentation.notices { path.append(code: notice.rawValue) }
    return path
  }

  private func likeness(of example: PageExample) -> Likeness {
    Likeness(renderer.presentation(of: example.page, in: example.frame(in: .english)))
  }

  /// What tells the states of a page apart.
  private struct Likeness {
    var step: String
    /// Of messages and notices.
    var codes: Set<String>

    init(step: String, codes: Set<String>) {
      self.step = step
      self.codes = codes
    }

    init(_ presentation: Presentation) {
      let messages = presentation.general + presentation.fieldMessages.flatMap(\.messages)
      step = presentation.step
      codes = Set(messages.map(\.code) + presentation.notices.map(\.notice.rawValue))
    }

    /// The number of codes that only one of them has; a different step outweighs them all.
    func distance(to other: Likeness) -> Int {
      (step == other.step ? 0 : 1_000) + codes.symmetricDifference(other.codes).count
    }
  }
}

extension String {
  /// Appends a code to a query; the APIs' codes are mostly plain words and need no encoding.
  fileprivate mutating func append(code: String) {
    let isPlain = code.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "/"): true
      default: false
      }
    }
    self += "&code="
    self += isPlain ? code : code.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
