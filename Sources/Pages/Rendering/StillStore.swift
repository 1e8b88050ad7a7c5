import AuthFlow
import Localization
import Locking

/// A cache of stills: of pages of untouched visits, and of pages that answer a refused form.
///
/// It keeps one still for each page, world, language, notation and refusal, which is used only for
/// an equal page, equal news of the world and an equal refusal: every setting that a page shows is
/// part of its value. A page that used facts about its visitor, other than as stamps, is not kept.
final class StillStore: Sendable {
  fileprivate struct Key: Hashable {
    var name: String
    var notation: Still.Notation
    var language: LanguageTag
    var menu: LanguageMenu?
    var applicationName: String
    /// The world stands for the whole emulation: only the page with its latest news is kept.
    var world: String?
    var isEnlarged: Bool
    var supportAddress: String?
    var isUntouched: Bool
    /// Of several problems the first.
    var code: String?
    var field: Field?
    var refusal: SiteRefusal?
    var lacksCookie: Bool

    /// Hashes the most distinctive properties only, since every request looks up a page.
    func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(notation)
      hasher.combine(world)
      hasher.combine(code)
    }
  }

  fileprivate final class Entry {
    /// Without its typed text: a visitor's data is kept no longer than necessary.
    private let page: any Page
    private let told: Told
    let still: Still
    var lastUse: Int

    init(_ still: Still, of page: any Page, in frame: PageFrame, lastUse: Int) {
      self.page = page.forgetting()
      told = Told(frame)
      self.still = still
      self.lastUse = lastUse
    }

    func shows(_ page: any Page, in frame: PageFrame) -> Bool {
      told.equals(Told(frame)) && self.page.equals(page)
    }
  }

  /// What a page shows of its frame that is not part of the key, apart from stamps.
  private struct Told {
    let emulation: PageFrame.Emulation?
    let error: AuthError?
    let notices: [Notice]
    let losesPassword: Bool
    let isOnShow: Bool

    init(_ frame: PageFrame) {
      emulation = frame.emulation
      error = frame.error
      notices = frame.notices
      losesPassword = frame.losesPassword
      isOnShow = frame.isOnShow
    }

    func equals(_ other: Told) -> Bool {
      losesPassword == other.losesPassword && isOnShow == other.isOnShow
        && notices == other.notices && emulation == other.emulation && tellsLike(other.error)
    }

    /// Whether the page would report the other error in the same words, apart from the answer's
    /// identifier.
    private func tellsLike(_ other: AuthError?) -> Bool {
      guard let error, let other else { return error == nil && other == nil }
      return error.advice == other.advice && error.problems.count == other.problems.count
        && error.problems.indices.allSatisfy { index in
          error.problems[index].isLike(other.problems[index], (error.traceID, other.traceID))
        }
    }
  }

  fileprivate struct Entries {
    var byKey: [Key: Entry] = [:]
    var byteCount = 0
    var useCount = 0
  }

  private let limitBytes: Int
  private let entries = Locked(Entries())

  /// - Parameter limitBytes: The limit for all stills together; the least recently used one is
  ///   dropped.
  init(limitBytes: Int) { self.limitBytes = limitBytes }

  var byteCount: Int { entries.withLock { $0.byteCount } }
  var count: Int { entries.withLock { $0.byKey.count } }

  /// The page's still: the one that is kept, or else a new one.
  func still<Failure: Error>(
    of page: any Page,
    in frame: PageFrame,
    as notation: Still.Notation,
    orRender render: () throws(Failure) -> Still
  ) throws(Failure) -> Still {
    guard let key = Key(of: page, in: frame, as: notation) else { return try render() }
    if let still = entries.withLock({ $0.still(of: page, in: frame, at: key) }) { return still }
    let still = try render()
    if frame.visitor.isAnyone && page.typedText?.isAnyones != false {
      entries.withLock { $0.keep(still, of: page, in: frame, at: key, limitBytes: limitBytes) }
    }
    return still
  }

  /// The page's still where it is kept.
  func kept(_ page: any Page, in frame: PageFrame, as notation: Still.Notation) -> Still? {
    Key(of: page, in: frame, as: notation).flatMap { key in
      entries.withLock { $0.still(of: page, in: frame, at: key) }
    }
  }
}

extension StillStore.Key {
  /// Nil for pages that few visitors see, and for pages whose links carry other parameters along.
  fileprivate init?(of page: any Page, in frame: PageFrame, as notation: Still.Notation) {
    guard frame.isUntouched && !frame.hasNews || frame.isRefused,
      frame.languageMenu?.query.isEmpty != false
    else { return nil }
    self.init(
      name: page.name,
      notation: notation,
      language: frame.language,
      menu: frame.languageMenu,
      applicationName: frame.applicationName,
      world: frame.emulation?.world,
      isEnlarged: frame.emulation?.isEnlarged ?? false,
      supportAddress: frame.supportAddress,
      isUntouched: frame.isUntouched,
      code: frame.error?.problems.first?.code,
      field: frame.error?.problems.first?.field,
      refusal: frame.refusal,
      lacksCookie: frame.lacksCookie
    )
  }
}

extension Problem {
  /// Whether the problems differ only in the identifiers of their answers.
  ///
  /// If the API's own sentence contains the identifier, they do differ.
  fileprivate func isLike(_ other: Problem, _ traceIDs: (String?, String?)) -> Bool {
    guard detail != nil || other.detail != nil else { return self == other }
    var (one, another) = (self, other)
    (one.detail, another.detail) = (nil, nil)
    guard one == another else { return false }
    guard let detail, let otherDetail = other.detail else {
      return self.detail == nil && other.detail == nil
    }
    return detail.kind == otherDetail.kind && detail.message == otherDetail.message
      && detail.facts.count == otherDetail.facts.count
      && zip(detail.facts, otherDetail.facts).allSatisfy { fact, other in
        let isName = fact.isName(traceIDs.0)
        return fact.name == other.name && isName == other.isName(traceIDs.1)
          && (isName || fact.value == other.value)
      }
  }
}

extension JSONValue.Member {
  /// Whether the value is the auth API's identifier of its answer.
  func isName(_ traceID: String?) -> Bool {
    guard let traceID, case .string(let text) = value else { return false }
    return text == traceID
  }
}

extension PageFrame {
  fileprivate var isRefused: Bool { error != nil || refusal != nil }
}

extension StillStore.Entries {
  fileprivate mutating func still(
    of page: any Page,
    in frame: PageFrame,
    at key: StillStore.Key
  ) -> Still? {
    guard let entry = byKey[key], entry.shows(page, in: frame) else { return nil }
    useCount += 1
    entry.lastUse = useCount
    return entry.still
  }

  fileprivate mutating func keep(
    _ still: Still,
    of page: any Page,
    in frame: PageFrame,
    at key: StillStore.Key,
    limitBytes: Int
  ) {
    forget(key)
    while byteCount + still.size > limitBytes,
      let oldest = byKey.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      forget(oldest.key)
    }
    guard still.size <= limitBytes else { return }
    useCount += 1
    byKey[key] = StillStore.Entry(still, of: page, in: frame, lastUse: useCount)
    byteCount += still.size
  }

  private mutating func forget(_ key: StillStore.Key) {
    if let entry = byKey.removeValue(forKey: key) { byteCount -= entry.still.size }
  }
}

extension Still {
  /// The memory it takes, in bytes, including its key.
  fileprivate var size: Int { bytes.count + 1_024 }
}
