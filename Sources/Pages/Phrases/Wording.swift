import Foundation
import Localization

/// Renders phrases in one language, for one visitor.
///
/// A reference, since every part of a page that has words carries it.
final class Wording: Sendable {
  let catalogue: Catalogue<PhraseKey>
  let isRightToLeft: Bool
  /// Consulted only to render a moment: such words are this visitor's alone.
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
    var prose = Prose(spans: [])
    write(phrase, to: &prose)
    return prose
  }

  private func write(_ phrase: Phrase, to prose: inout Prose) {
    switch phrase {
    case .message(let key, let values): write(key, values, to: &prose)
    case .verbatim(let text): prose.append(isRightToLeft ? .isolated(text) : .text(text))
    case .english(let text): prose.append(language.isEnglish ? .text(text) : .english(text))
    case .label(let phrase): prose.append(self.prose(phrase).capitalized)
    case .example(let phrase): write(.verbatim(text(phrase)), to: &prose)
    case .moment(let date, let form):
      guard let times else { break }
      prose.append(Rehearsal.isOn ? Prose(Rehearsal.moment) : times.prose(date, form))
    case .list(let phrases, let joint): prose.append(list(phrases, joint))
    }
  }

  /// The words where there is no markup.
  func text(_ phrase: Phrase) -> String {
    if case .message(let key, _) = phrase, let message = catalogue[key], let words = message.words,
      // In a right-to-left context, the punctuation of English would be on the wrong side.
      !message.isBorrowed || !isRightToLeft
    {
      return words
    }
    return prose(phrase).isolatedText
  }

  /// The words for a program, without anything for the eye.
  func plainText(_ phrase: Phrase) -> String { prose(phrase).text }

  var times: Times? {
    visitor.map { Times(now: $0.told.now, timeZone: $0.told.timeZone, catalogue: catalogue) }
  }

  private func write(_ key: PhraseKey, _ values: Phrase.Values, to prose: inout Prose) {
    catalogue.write(key, to: &prose) { name -> MessageFormat.Value<Phrase.Value>? in
      switch values[name] {
      case .count(let number)?: .count(number)
      case .choice(let word)?: .choice(word)
      case let value?: .fragment(value)
      case nil: nil
      }
    } _: { value, prose in
      switch value {
      case .phrase(let phrase): write(phrase, to: &prose)
      case .strong(let text): prose.append(.strong(text))
      case .document(let link): prose.append(.document(link, text(link.words)))
      // Numbers and choices are the message's own.
      case .count, .choice: break
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
    var prose = Prose(spans: [])
    write(key, to: &prose, value) { $1.append($0) }
    return prose
  }

  /// Appends a message with its values in place.
  ///
  /// - Parameters:
  ///   - key: The message.
  ///   - prose: The prose to append to.
  ///   - value: The value of a name.
  ///   - writeFragment: Appends a value that is a fragment.
  fileprivate func write<Fragment>(
    _ key: PhraseKey,
    to prose: inout Prose,
    _ value: (String) -> MessageFormat.Value<Fragment>?,
    _ writeFragment: (Fragment, inout Prose) -> Void
  ) {
    guard let message = self[key] else { return prose.append(.text(key.name)) }
    if let words = message.words {
      let isForeign = message.isBorrowed && !language.isEnglish
      return prose.append(isForeign ? .english(words) : .text(words))
    }
    message.forEachPiece(by: pluralRule, value) { piece in
      switch piece {
      case .text(let text): prose.append(.text(text))
      case .fragment(let fragment): writeFragment(fragment, &prose)
      }
    }
  }
}
