import Localization
import Locking

/// Templates compiled for each language on first use.
///
/// English is compiled at once and needs no lock.
final class Programs<View: TemplateView>: Sendable {
  private struct Key: Hashable {
    var language: LanguageTag
    var name: String
  }

  private let splicer: Splicer
  /// The template used in place of one that does not exist.
  private let required: String
  private let english: [String: Program<View>]
  private let others = Locked<[Key: Program<View>]>([:])

  /// - Parameters:
  ///   - names: The required template, followed by the optional ones.
  ///   - splicer: Has them and all that they include.
  ///   - words: The English catalogue.
  /// - Throws: `TemplateFault` for what cannot be compiled.
  init(
    of names: [String],
    by splicer: Splicer,
    saying words: Catalogue<PhraseKey>
  ) throws(TemplateFault) {
    var splicer = splicer
    splicer.words = words
    try splicer.checkMessages()
    guard splicer.templates[names[0]] != nil else {
      throw TemplateFault(.missing, in: TemplateFolder.file(names[0]))
    }
    var english: [String: Program<View>] = [:]
    for name in names { english[name] = try Self.program(of: name, by: splicer) }
    self.splicer = splicer
    required = names[0]
    self.english = english
  }

  /// The program of that name, or else the required one.
  ///
  /// - Throws: `TemplateFault` for one that cannot be compiled in that language.
  subscript(name: String, in language: Catalogue<PhraseKey>) -> Program<View> {
    get throws(TemplateFault) {
      let name = templateName(for: name)
      if language.language == splicer.words.language, let program = english[name] { return program }
      let key = Key(language: language.language, name: name)
      if let program = others.withLock({ $0[key] }) { return program }
      let program = try compiled(name, saying: language)
      others.withLock { $0[key] = program }
      return program
    }
  }

  /// The same, compiled anew.
  ///
  /// - Throws: As the subscript does.
  func compiled(
    _ name: String,
    saying words: Catalogue<PhraseKey>
  ) throws(TemplateFault) -> Program<View> {
    var splicer = splicer
    splicer.words = words
    let name = templateName(for: name)
    guard let program = try Self.program(of: name, by: splicer) else {
      throw TemplateFault(.missing, in: TemplateFolder.file(name))
    }
    return program
  }

  /// Nil where there is no template of that name.
  private static func program(
    of name: String,
    by splicer: Splicer
  ) throws(TemplateFault) -> Program<View>? {
    guard let nodes = try splicer.nodes(of: name) else { return nil }
    return try Program(nodes, in: Scope<View>())
  }

  private func templateName(for name: String) -> String { english[name] == nil ? required : name }
}
