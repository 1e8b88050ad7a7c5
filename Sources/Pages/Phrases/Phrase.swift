public import Foundation

/// What is said to a reader, before it is put into a language.
///
/// A page is made of phrases, so that the same value renders in every language.
public indirect enum Phrase: Hashable, Sendable {
  case message(PhraseKey, [String: Value] = [:])
  /// People's data and other systems' words, in whichever language those are.
  case verbatim(String)
  /// A name as the words of a label: it begins with a capital.
  case label(Phrase)
  case moment(Date, Moment)
  case list([Phrase], Joint)
  /// Data that a catalogue holds, such as a number to show the form of one.
  case example(Phrase)

  /// What a message has at one of its places.
  public enum Value: Hashable, Sendable {
    case phrase(Phrase)
    /// People's data that stands out.
    case strong(String)
    case count(Int)
    /// A word that a message chooses by; never shown.
    case choice(String)
    /// A document to read meanwhile.
    case document(Link)

    public static func text(_ text: String) -> Value { .phrase(.verbatim(text)) }
    static func moment(_ date: Date, _ form: Moment) -> Value { .phrase(.moment(date, form)) }
  }

  /// How a moment is spoken of.
  public enum Moment: Hashable, Sendable {
    /// From when on something is possible: never too early.
    case from
    /// When something ends: never too late.
    case end
    /// How long something lasts.
    case lasting
    /// When something was.
    case past
    /// The same on a line of its own.
    case alone
    /// The clock alone, in the words of ``from``.
    case clock
    /// The same as an adverb.
    case at
  }

  /// How a list is joined.
  public enum Joint: Hashable, Sendable {
    case and, or, comma
  }
}

extension Phrase {
  static func common(_ key: CommonPhrase, _ values: [String: Value] = [:]) -> Phrase {
    .message(.common(key), values)
  }

  static func field(_ key: FieldPhrase, _ values: [String: Value] = [:]) -> Phrase {
    .message(.field(key), values)
  }

  static func outcome(_ key: OutcomePhrase, _ values: [String: Value] = [:]) -> Phrase {
    .message(.outcome(key), values)
  }

  static func page(_ key: PagePhrase, _ values: [String: Value] = [:]) -> Phrase {
    .message(.page(key), values)
  }

  /// Two sentences in a row.
  static func sentences(_ first: Phrase, _ next: Phrase) -> Phrase {
    .common(.textSentences, ["first": .phrase(first), "next": .phrase(next)])
  }

  /// What it links to.
  var documents: [Link] {
    switch self {
    case .message(_, let values):
      values.sorted { $0.key < $1.key }.flatMap { _, value -> [Link] in
        switch value {
        case .document(let link): [link]
        case .phrase(let phrase): phrase.documents
        case .strong, .count, .choice: []
        }
      }
    case .label(let phrase), .example(let phrase): phrase.documents
    case .list(let phrases, _): phrases.flatMap(\.documents)
    case .verbatim, .moment: []
    }
  }
}
