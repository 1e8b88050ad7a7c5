public import Foundation

/// Something to say to a reader, not yet in any language.
///
/// A page is made of phrases, so that the same value renders in every language.
public indirect enum Phrase: Hashable, Sendable {
  case message(PhraseKey, Values = [:])
  /// People's data and other systems' words, in whichever language those are.
  case verbatim(String)
  /// An auth API's own sentence: English, whatever the page is in (WCAG 3.1.2).
  case english(String)
  /// A name used as a label, with a capital first letter.
  case label(Phrase)
  case moment(Date, Moment)
  case list([Phrase], Joint)
  /// Sample data from a catalogue, such as a phone number in the local format.
  case example(Phrase)

  /// The value of a placeholder in a message.
  public enum Value: Hashable, Sendable {
    case phrase(Phrase)
    /// People's data, emphasised.
    case strong(String)
    case count(Int)
    /// A word that a message chooses by; never shown.
    case choice(String)
    /// A document to read meanwhile.
    case document(Link)

    public static func text(_ text: String) -> Value { .phrase(.verbatim(text)) }
    static func moment(_ date: Date, _ form: Moment) -> Value { .phrase(.moment(date, form)) }
  }

  /// The values of a message by name: so few that a linear search is fastest.
  public struct Values: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private struct Named: Hashable, Sendable {
      var name: String
      var value: Value
    }

    private var named: [Named]

    public init(dictionaryLiteral elements: (String, Value)...) {
      named = elements.map { Named(name: $0, value: $1) }
    }

    subscript(_ name: String) -> Value? { named.first { $0.name == name }?.value }

    /// These and another.
    func adding(_ name: String, _ value: Value) -> Values {
      var all = self
      all.named.append(Named(name: name, value: value))
      return all
    }

    /// In the order of their names.
    var sorted: [Value] { named.sorted { $0.name < $1.name }.map(\.value) }
  }

  /// How a moment is spoken of.
  public enum Moment: Hashable, Sendable {
    /// When something becomes possible: never too early.
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
    case and, comma
  }
}

extension Phrase {
  static func common(_ key: CommonPhrase, _ values: Values = [:]) -> Phrase {
    .message(.common(key), values)
  }

  static func field(_ key: FieldPhrase, _ values: Values = [:]) -> Phrase {
    .message(.field(key), values)
  }

  static func outcome(_ key: OutcomePhrase, _ values: Values = [:]) -> Phrase {
    .message(.outcome(key), values)
  }

  static func page(_ key: PagePhrase, _ values: Values = [:]) -> Phrase {
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
      values.sorted.flatMap { value -> [Link] in
        switch value {
        case .document(let link): [link]
        case .phrase(let phrase): phrase.documents
        case .strong, .count, .choice: []
        }
      }
    case .label(let phrase), .example(let phrase): phrase.documents
    case .list(let phrases, _): phrases.flatMap(\.documents)
    case .verbatim, .english, .moment: []
    }
  }
}
