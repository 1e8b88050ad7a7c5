internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Locking
internal import Pages

/// Determines a reader's language: the fixed one, the one that they chose, or the best one that
/// their browser asks for.
final class Languages: Sendable {
  /// The longest query that the language menu keeps, in bytes.
  private static let queryLimit = 2_000
  /// The number of `Accept-Language` values that are remembered, so that invented ones do not fill
  /// the memory.
  private static let fieldLimit = 256

  private let fixed: LanguageTag?
  private let menu: [LanguageTag]
  private let choosable: [LanguageTag]
  private let cookieName: CookieName
  /// The languages that were found, by `Accept-Language` value.
  private let known = Locked<[String: LanguageTag]>([:])

  /// - Parameters:
  ///   - fixed: The only language; nil where readers choose.
  ///   - menu: The languages that pages offer.
  ///   - choosable: The languages that may be asked for.
  ///   - isSecure: Whether the cookie is for TLS only.
  init(fixed: LanguageTag?, menu: [LanguageTag], choosable: [LanguageTag], isSecure: Bool) {
    self.fixed = fixed
    self.menu = menu
    self.choosable = choosable
    cookieName = CookieName("vestibule_language", isSecure: isSecure)
  }

  func language(of request: Request) -> LanguageTag {
    if let fixed { return fixed }
    if let chosen = request.cookie(cookieName),
      let language = choosable(chosen)
    {
      return language
    }
    return request.headerFields.value(of: .acceptLanguage).map(best) ?? .english
  }

  /// The best language for an `Accept-Language` value; English where none fits.
  private func best(for field: String) -> LanguageTag {
    if let language = known.withLock({ $0[field] }) { return language }
    let language =
      LanguagePriorities(acceptLanguage: field).choice(among: choosable) ?? .english
    known.withLock { known in
      if known.count < Self.fieldLimit { known[field] = language }
    }
    return language
  }

  private func choosable(_ text: some StringProtocol) -> LanguageTag? {
    LanguageTag(text).flatMap { choosable.contains($0) ? $0 : nil }
  }

  /// The menu at the foot of a page, which keeps the other parameters of its address; nil where there
  /// is nothing to choose.
  func menu(for request: Request) -> LanguageMenu? {
    guard fixed == nil, menu.count > 1 else { return nil }
    guard request.method != .post, let query = request.query,
      query.utf8.count <= Self.queryLimit
    else { return LanguageMenu(menu) }
    return LanguageMenu(menu, query: Choice.others(of: query, than: LanguageMenu.parameter))
  }

  /// The language of that tag, otherwise the one that a browser asking for it would get.
  private func closest(to text: Substring) -> LanguageTag? {
    guard let tag = LanguageTag(text) else { return nil }
    return choosable(text)
      ?? LanguagePriorities(acceptLanguage: tag.text).choice(among: choosable)
  }

  /// The choice in the address of a page; nil where there is none.
  func choice(in request: Request) -> Choice? {
    guard fixed == nil, let value = Choice.value(of: LanguageMenu.parameter, in: request) else {
      return nil
    }
    return Choice(of: LanguageMenu.parameter, in: request) {
      closest(to: value).map { language in
        SetCookie(name: cookieName, value: language.text, maximumAge: Choice.cookieAge)
      }
    }
  }
}
