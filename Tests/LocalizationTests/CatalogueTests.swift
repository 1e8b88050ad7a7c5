import Locking
import Testing

@testable import Localization

@Suite("Catalogues: every message of a language, from files")
struct CatalogueTests {
  enum Key: String, MessageKey, CaseIterable {
    case heading = "page.heading"
    case sent = "page.sent"

    static var allKeys: [Key] { allCases }
    var name: String { rawValue }
    static func isForeign(_ name: String) -> Bool { name.hasPrefix("mail.") }
  }

  static let english = #"{"page.heading": "Sign in", "page.sent": "Sent to {to}", "mail.x": "{"}"#

  static func catalogues(
    _ files: [String: [String]],
    own: [String] = [],
    reloads: Bool = false
  ) throws(CatalogueFault) -> Catalogues<Key> {
    try Catalogues(Self.files(files, own: own), reloads: reloads)
  }

  static func files(_ files: [String: [String]], own: [String] = []) -> Catalogues<Key>.Files {
    Catalogues<Key>.Files(
      in: "messages",
      names: { Array(files.keys) },
      ownNames: { own },
      named: { name in
        (files[name] ?? []).enumerated().map { index, text in
          CatalogueFile(path: "\(index)/\(name).json", bytes: Array(text.utf8))
        }
      }
    )
  }

  static func heading(_ catalogue: Catalogue<Key>) -> String? { catalogue[.heading]?.words }

  @Test("an overriding file comes before the built-in one, and that one before English")
  func layers() throws {
    let files = [
      "en": [Self.english, #"{"page.heading": "Log on"}"#],
      "de": [#"{"page.heading": "Anmelden"}"#, #"{}"#],
    ]
    let catalogues = try Self.catalogues(files)
    let german = try catalogues.catalogue(of: try #require(LanguageTag("de")))
    #expect(Self.heading(catalogues.english) == "Log on")
    #expect(Self.heading(german) == "Anmelden")
    #expect(german[.sent]?.names == ["to"], "English if there are no words")
    #expect(catalogues.languages.map(\.text) == ["en", "de"])
    let dutch = try catalogues.catalogue(of: try #require(LanguageTag("nl")))
    #expect(dutch.language == .english)
  }

  @Test(
    "an English sentence of your own, with fewer values, takes none from other languages",
    arguments: [#"{"page.sent": "On its way."}"#, #"{"page.sent": "On its way to {to}"}"#]
  )
  func ownEnglish(own: String) throws {
    let files = [
      "en": [Self.english, own],
      "de": [#"{"page.sent": "An {to} geschickt"}"#, #"{"page.heading": "Anmelden"}"#],
    ]
    let catalogues = try Self.catalogues(files)
    let german = try catalogues.catalogue(of: try #require(LanguageTag("de")))
    #expect(german.text(.sent, ["to": .fragment("ada")]) == "An ada geschickt")
    #expect(catalogues.english.text(.sent, ["to": .fragment("ada")]).hasPrefix("On its way"))
    // The program still gives the values that it gave; a sentence cannot use any others.
    #expect(throws: CatalogueFault.self) {
      try Self.catalogues(["en": [Self.english, own], "de": [#"{"page.sent": "{who}"}"#]])
        .catalogue(of: #require(LanguageTag("de")))
    }
  }

  @Test("a file of your own that is not named after a language is refused, as it would not be read")
  func misnamed() throws {
    let files = ["en": [Self.english], "EN": [Self.english], "dutch-words": ["{}"]]
    for (name, reason) in [
      ("EN", "must be named en.json"), ("dutch-words", "is not a language tag"),
    ] {
      do {
        _ = try Self.catalogues(files, own: [name])
        Issue.record("accepted: \(name)")
      } catch {
        #expect("\(error)".contains(reason))
      }
    }
  }

  @Test("an unusable file of your own is refused at once, unless files are read again")
  func own() throws {
    let files = ["en": [Self.english], "de": ["{}", #"{"page.heading": "Anmelden",}"#]]
    #expect(throws: CatalogueFault.self) { try Self.catalogues(files, own: ["de"]) }
    let catalogues = try Self.catalogues(files, own: ["de"], reloads: true)
    let german = try #require(LanguageTag("de"))
    #expect(throws: CatalogueFault.self) { try catalogues.catalogue(of: german) }
    #expect(throws: Never.self) { try Self.catalogues(files) }
  }

  @Test("all faults in files are reported at once, also values that a message leaves out")
  func faults() throws {
    let files = [
      "en": [Self.english],
      "de": [
        #"{"page.sent": "Gesendet an {ot}"}"#,
        "{\n\"page.sent\": \"Gesendet\",\n\"page.haeding\": \"\",\n\"page.heading\": \"{\"}",
      ],
      "pt-br": [#"{}"#], "klingonisch": [#"{}"#], "fr": [#"{"page.sent": "{to}""#],
    ]
    let faults = Catalogues<Key>.faults(in: Self.files(files)).map(\.description)
    #expect(
      faults == [
        "0/de.json:1:15: page.sent: there is no {ot} here, only {to}",
        "0/de.json:1:15: page.sent: {to} is missing",
        "1/de.json:2:14: page.sent: {to} is missing",
        "1/de.json:3:17: page.haeding: there is no such key: did you mean 'page.heading'?",
        "1/de.json:4:19: page.heading: a name is missing",
        "0/fr.json:1:21: a } is missing here",
        "0/klingonisch.json: the file's name is not a language tag",
        "0/pt-br.json: the file must be named pt-BR.json",
      ]
    )
  }

  @Test("a text that is empty where English has one, or has HTML in it, is reported with its place")
  func emptyTexts() throws {
    let files = [
      "en": [Self.english, #"{"page.heading": ""}"#],
      "de": ["{\n\"page.heading\": \" \",\n\"page.sent\": \"An <b>{to}</b>, R&amp;D <name>\"}"],
    ]
    #expect(
      Catalogues<Key>.faults(in: Self.files(files)).map(\.description) == [
        "1/en.json:1:18: page.heading: the text is empty, and the English one is not",
        "0/de.json:2:17: page.heading: the text is empty, and the English one is not",
        "0/de.json:3:18: page.sent: “<b>” is shown as it is written",
        "0/de.json:3:25: page.sent: “</b>” is shown as it is written",
        "0/de.json:3:32: page.sent: “&amp;” is shown as it is written",
      ]
    )
    let german = try #require(LanguageTag("de"))
    #expect(throws: Never.self) { try Self.catalogues(files).catalogue(of: german) }
  }

  @Test("the place of a byte that is not UTF-8 counts characters, and not a byte order mark")
  func notUTF8() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = mark + Array("é\n✓a".utf8) + [0xFC, 0x62]
    let place = CatalogueFault.Position(ofFirstNonUTF8In: bytes)
    #expect(place == CatalogueFault.Position(line: 2, column: 3))
    #expect(CatalogueFault.Position(ofFirstNonUTF8In: mark + Array("é\u{FFFD}".utf8)) == nil)
  }

  @Test("sentences that your own files leave in English are noted, except in English itself")
  func gaps() {
    let whole = #"{"page.heading": "Anmelden", "page.sent": "{to}"}"#
    let files = [
      "en": [Self.english], "de": [whole, "{}"], "he": [#"{"page.heading": "כניסה"}"#],
      "nl": ["{}"], "en-GB": ["{}"], "fr": ["{"], "dutch-words": ["{}"], "pt-br": ["{}"],
    ]
    let some = Self.files(files, own: ["de", "he", "en-GB", "fr", "dutch-words", "pt-br"])
    #expect(
      Catalogues<Key>.notes(in: some) == ["0/he.json: 1 of 2 sentences are in English: page.sent"]
    )
    #expect(
      Catalogues<Key>.notes(in: Self.files(files, own: ["nl"]), of: "words of pages") == [
        "0/nl.json: 2 of 2 words of pages are in English: page.heading, page.sent"
      ]
    )
  }

  @Test("a plural's branch that no number takes is reported, and the message works all the same")
  func idleBranches() throws {
    let plural = "{n, plural, =0 {-} one {1} few {2} many {5} other {{to}}}"
    let text = #"{"page.sent": "\#(plural)"}"#
    let english = Self.english.replacing("{to}", with: "{to} {n}")
    let files = [
      "en": [english, text], "pl": [text], "ar": [text], "es": [text], "he": [text], "ja": [text],
      "tlh": [text],
    ]
    let faults = Catalogues<Key>.faults(in: Self.files(files)).map(\.description)
    #expect(
      faults == [
        "1/en.json:1:15: page.sent: no number takes the branch few, only one, other",
        "1/en.json:1:15: page.sent: no number takes the branch many, only one, other",
        "0/es.json:1:15: page.sent: no number takes the branch few, only one, many, other",
        "0/he.json:1:15: page.sent: no number takes the branch few, only one, two, other",
        "0/he.json:1:15: page.sent: no number takes the branch many, only one, two, other",
        "0/ja.json:1:15: page.sent: no number takes the branch one, only other",
        "0/ja.json:1:15: page.sent: no number takes the branch few, only other",
        "0/ja.json:1:15: page.sent: no number takes the branch many, only other",
      ]
    )
    let polish = try #require(LanguageTag("pl"))
    let catalogue = try Self.catalogues(["en": [english], "pl": [text]]).catalogue(of: polish)
    let spoken = [1, 3, 5, 12, 22].map {
      catalogue.text(.sent, ["n": .count($0), "to": .fragment("x")])
    }
    #expect(spoken == ["1", "2", "5", "5", "2"])
  }

  @Test("plurals of a language that is not known here are noted, and are not a fault")
  func unknownPlurals() {
    let plural = "{to} {n, plural, one {1} few {2} other {#}}"
    let text = #"{"page.heading": "Dab", "page.sent": "\#(plural)"}"#
    let english = Self.english.replacing("{to}", with: "{to} {n}")
    let plain = #"{"page.heading": "Kaas", "page.sent": "{to} {n}"}"#
    let files = ["en": [english], "tlh": [text], "pl": [text], "tok": [plain]]
    let found = Self.files(files, own: ["tlh", "pl", "tok"])
    #expect(Catalogues<Key>.faults(in: found).isEmpty)
    #expect(
      Catalogues<Key>.notes(in: found) == [
        "0/tlh.json: the plurals of this language are not known here: 1 takes the branch one, "
          + "every other number other: page.sent"
      ]
    )
  }

  @Test("English is read at the start, another language when it is asked for, once")
  func lazily() throws {
    let read = Locked<[String]>([])
    let catalogues = try Catalogues<Key>(
      .init(
        in: "messages",
        names: { ["en", "de"] },
        ownNames: { [] },
        named: { name in
          read.withLock { $0.append(name) }
          return [CatalogueFile(path: name, bytes: Array(Self.english.utf8))]
        }
      )
    )
    #expect(read.withLock { $0 } == ["en"])
    let german = try #require(LanguageTag("de"))
    for _ in 1...3 { _ = try catalogues.catalogue(of: german) }
    #expect(read.withLock { $0 } == ["en", "de"])
  }

  @Test("while files are read again, a change of English or of the language itself shows")
  func reloading() throws {
    let files = Locked(["en": Self.english, "de": "{}"])
    let catalogues = try Catalogues<Key>(
      .init(
        in: "messages",
        names: { ["en", "de"] },
        ownNames: { [] },
        named: { name in
          files.withLock { $0[name] }.map { [CatalogueFile(path: name, bytes: Array($0.utf8))] }
            ?? []
        }
      ),
      reloads: true
    )
    let german = try #require(LanguageTag("de"))
    #expect(Self.heading(try catalogues.catalogue(of: german)) == "Sign in")
    files.withLock { $0["en"] = Self.english.replacing("Sign in", with: "Enter") }
    #expect(Self.heading(try catalogues.catalogue(of: german)) == "Enter")
    files.withLock { $0["de"] = #"{"page.heading": "Anmelden"}"# }
    #expect(Self.heading(try catalogues.catalogue(of: german)) == "Anmelden")
    files.withLock { $0["de"] = "{" }
    #expect(throws: CatalogueFault.self) { try catalogues.catalogue(of: german) }
  }

  /// Counts how often catalogues are made from files.
  private enum CountedKey: String, MessageKey, CaseIterable {
    case heading = "page.heading"
    case sent = "page.sent"

    static let readings = Locked(0)
    static var allKeys: [CountedKey] {
      readings.withLock { $0 += 1 }
      return allCases
    }
    var name: String { rawValue }
    static func isForeign(_ name: String) -> Bool { name.hasPrefix("mail.") }
  }

  @Test("while files are read again, a language that has not changed is not read anew")
  func unchanged() throws {
    let files = Locked(["en": Self.english, "de": #"{"page.heading": "Anmelden"}"#, "fr": "{}"])
    let catalogues = try Catalogues<CountedKey>(
      .init(
        in: "messages",
        names: { ["en", "de", "fr"] },
        ownNames: { [] },
        named: { name in
          files.withLock { $0[name] }.map { [CatalogueFile(path: name, bytes: Array($0.utf8))] }
            ?? []
        }
      ),
      reloads: true
    )
    let (german, french) = (try #require(LanguageTag("de")), try #require(LanguageTag("fr")))
    func readings() throws -> Int {
      for language in [german, french, .english, .accentedEnglish] {
        _ = try catalogues.catalogue(of: language)
      }
      return CountedKey.readings.withLock(\.self)
    }
    let first = try readings()
    #expect(try readings() == first)
    files.withLock { $0["de"] = #"{"page.heading": "Anmeldung"}"# }
    let second = try readings()
    #expect(second == first + 1, "only German")
    #expect(try readings() == second)
    files.withLock { $0["en"] = Self.english.replacing("Sign in", with: "Enter") }
    #expect(try readings() > second + 2, "English, and what falls back to it")
    #expect(try catalogues.catalogue(of: french)[.heading]?.words == "Enter")
  }

  @Test("the accented language is made from English and needs no file")
  func accented() throws {
    let catalogues = try Self.catalogues(["en": [Self.english]])
    let accented = try catalogues.catalogue(of: .accentedEnglish)
    #expect(Self.heading(accented)?.hasPrefix("Š") == true)
    #expect(!catalogues.languages.contains(.accentedEnglish))
  }

  @Test(
    "an unusable file is refused with the place and the key",
    arguments: [
      (#"{"page.heading": "{a"}"#, "0/de.json:1:19: page.heading: a brace is not closed"),
      (
        "{\n  \"page.sent\": \"{from}\"\n}",
        "0/de.json:2:16: page.sent: there is no {from} here, only {to}"
      ),
      (
        #"{"page.headin": "x"}"#,
        "0/de.json:1:17: page.headin: there is no such key: did you mean 'page.heading'?"
      ),
      (#"{"footer": "x"}"#, "0/de.json:1:12: footer: there is no such key"),
      (
        #"{"page.heading": "x","page.heading": "y"}"#,
        "0/de.json:1:22: page.heading: the key appears twice"
      ),
      (#"{"page.heading": 1}"#, "0/de.json:1:18: a text in quotes is missing here"),
      (#"{"page.heading": "x",}"#, "0/de.json:1:22: a text in quotes is missing here"),
      (#"{"page.heading" "x"}"#, "0/de.json:1:17: a : is missing here"),
      (#"{"page.heading": "\x"}"#, "0/de.json:1:19: an escape that JSON knows is missing here"),
      ("\u{FEFF}[]", "0/de.json:1:1: a { is missing here"),
      ("{} {}", "0/de.json:1:4: the end of the file is missing here"),
    ]
  )
  func faults(_ text: String, _ description: String) throws {
    let catalogues = try Self.catalogues(["en": [Self.english], "de": [text]])
    let german = try #require(LanguageTag("de"))
    let fault = #expect(throws: CatalogueFault.self) { try catalogues.catalogue(of: german) }
    #expect(fault?.description == description)
  }

  @Test("English must be there, and must be complete")
  func english() {
    let missing = #expect(throws: CatalogueFault.self) { try Self.catalogues([:]) }
    #expect(missing?.description == "messages/en.json: the file of messages is missing")
    let partial = #expect(throws: CatalogueFault.self) {
      try Self.catalogues(["en": [#"{"page.heading": "Sign in"}"#]])
    }
    #expect(partial?.description == "0/en.json: page.sent: the key is missing")
  }

  @Test("escapes of JSON are read, surrogate pairs included")
  func escapes() throws {
    let text = #"{"page.heading": "\u00e9\ud83d\ude00\n\"\\\/", "page.sent": "{to}"}"#
    #expect(Self.heading(try Self.catalogues(["en": [text]]).english) == "é😀\n\"\\/")
    for broken in [#"\ud83d"#, #"\u12"#, #"\ud83dA"#, #"\ud83d\nde00"#] {
      let text = #"{"page.heading": "\#(broken)", "page.sent": "{to}"}"#
      #expect(throws: CatalogueFault.self) { try Self.catalogues(["en": [text]]) }
    }
  }

  @Test(
    "a file that ends within a text is refused, wherever in it",
    arguments: ["", "Sign in", #"\"#, #"\u"#, #"\u12"#, #"\ud83d"#, #"\ud83d\"#, #"\ud83d\u"#]
  )
  func unfinished(text: String) {
    let file = #"{"page.heading": ""# + text
    #expect(throws: CatalogueFault.self) { try Self.catalogues(["en": [file]]) }
  }

  @Test("a file that is not UTF-8 is refused, and is not read in part")
  func encoding() {
    let latin = Array(#"{"page.heading": "Entr"#.utf8) + [0xE9] + Array(#"e"}"#.utf8)
    let files = Catalogues<Key>.Files(
      in: "messages",
      names: { ["en"] },
      ownNames: { [] },
      named: { _ in
        [
          CatalogueFile(path: "0/en.json", bytes: Array(Self.english.utf8)),
          CatalogueFile(path: "1/en.json", bytes: latin),
        ]
      }
    )
    let fault = #expect(throws: CatalogueFault.self) { try Catalogues<Key>(files) }
    #expect(fault?.description == "1/en.json:1:23: the file is not UTF-8 text")
  }
}
