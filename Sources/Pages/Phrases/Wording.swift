import Foundation
import Localization

/// Puts phrases into the words of one language, for one visitor.
///
/// A reference, since every part of a page that has words carries it.
final class Wording: Sendable {
  let catalogue: Catalogue<PhraseKey>
  let isRightToLeft: Bool
  /// Is told of only where a moment is: such words are this visitor's alone.
  private let visitor: Visitor?

  init(_ catalogue: Catalogue<PhraseKey>, for visitor: Visitor? = nil) {
    self.catalogue = catalogue
    isRightToLeft = catalogue.language.direction == .rightToLeft
    self.visitor = visitor
  }

  /// For phrases that are verbatim.
  static let none = Wording(Catalogue(empty: .english))

  var language: LanguageTag { catalogue.language }

  func prose(_ phrase: Phrase) -> Prose {
    switch phrase {
    case .message(let key, let values): message(key, values)
    case .verbatim(let text): Prose(spans: [isRightToLeft ? .isolated(text) : .text(text)])
    case .label(let phrase): prose(phrase).capitalized
    case .example(let phrase): prose(.verbatim(text(phrase)))
    case .moment(let date, let form): times.map { $0.prose(date, form) } ?? Prose(spans: [])
    case .list(let phrases, let joint): list(phrases, joint)
    }
  }

  /// The words where there is no markup.
  func text(_ phrase: Phrase) -> String {
    if case .message(let key, _) = phrase, let words = catalogue[key]?.words { return words }
    return prose(phrase).isolatedText
  }

  /// The words for a program, without anything for the eye.
  func plainText(_ phrase: Phrase) -> String { prose(phrase).text }

  var times: Times? {
    visitor.map { Times(now: $0.told.now, timeZone: $0.told.timeZone, catalogue: catalogue) }
  }

  private func message(_ key: PhraseKey, _ values: Phrase.Values) -> Prose {
    catalogue.prose(key) { name in
      switch values[name] {
      case .phrase(let phrase)?: .fragment(prose(phrase))
      case .strong(let text)?: .fragment(Prose(spans: [.strong(text)]))
      case .count(let number)?: .count(number)
      case .choice(let word)?: .choice(word)
      case .document(let link)?:
        .fragment(Prose(spans: [.document(link, text(link.words))]))
      case nil: nil
      }
    }
  }

  private func list(_ phrases: [Phrase], _ joint: Phrase.Joint) -> Prose {
    guard let first = phrases.first else { return Prose(spans: []) }
    return phrases.enumerated().dropFirst().reduce(prose(first)) { before, item in
      let isLast = item.offset == phrases.count - 1
      let next = prose(item.element)
      let key: CommonPhrase =
        switch joint {
        case .and: isLast ? .listAndLast : .listAndMore
        case .or: isLast ? .listOrLast : .listOrMore
        case .comma: .listPlain
        }
      return catalogue.prose(.common(key)) { .fragment($0 == "first" ? before : next) }
    }
  }
}

extension Catalogue<PhraseKey> {
  /// A message with its values in place.
  func prose(
    _ key: PhraseKey,
    _ value: (String) -> MessageFormat.Value<Prose>? = { _ in nil }
  ) -> Prose {
    guard let message = self[key] else { return Prose(key.name) }
    if let words = message.words { return Prose(words) }
    var prose = Prose(spans: [])
    for piece in message.pieces(by: pluralRule, value) {
      switch piece {
      case .text(let text): prose.append(.text(text))
      case .fragment(let fragment): for span in fragment.spans { prose.append(span) }
      }
    }
    return prose
  }
}
