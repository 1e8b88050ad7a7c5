/// The names that a template can use at some place: those of the current view and of the views
/// around it.
struct Scope<View> {
  private let ownNames: [String]
  private let namesAround: [String]
  private let own: @Sendable (String) -> Meaning<View>?
  private let around: @Sendable (String) -> Meaning<View>?

  /// The scope of a view with nothing around it.
  init() where View: TemplateView {
    ownNames = View.Name.allCases.map(\.rawValue)
    namesAround = []
    own = { name in View.Name(rawValue: name).map { View.word(for: $0).meaning } }
    around = { _ in nil }
  }

  /// A place within a section.
  init<Outer, Inner: TemplateView>(inside outer: Scope<Outer>) where View == Inside<Outer, Inner> {
    let inner = Scope<Inner>()
    let (ownOfOuter, aroundOuter) = (outer.own, outer.around)
    let ownOfInner = inner.own
    ownNames = inner.ownNames
    namesAround = outer.ownNames + outer.namesAround
    own = { ownOfInner($0)?.reached { $0.inner } }
    around = { (ownOfOuter($0) ?? aroundOuter($0))?.reached { $0.outer } }
  }

  /// The meaning of a name: `.name` looks in the innermost view alone, `name?` asks whether there
  /// is a value.
  func meaning(of tag: Tag) throws(TemplateFault) -> Meaning<View> {
    guard let meaning = meaning(of: tag.name) else {
      let known = tag.name.hasPrefix(".") ? ownNames : ownNames + namesAround
      throw tag.fault(.unknownName(tag.name, known: known))
    }
    return meaning
  }

  private func meaning(of name: String) -> Meaning<View>? {
    if name.hasSuffix("?") {
      return meaning(of: String(name.dropLast())).map { .flag($0.isThere) }
    }
    if name.hasPrefix(".") { return own(String(name.dropFirst())) }
    return own(name) ?? around(name)
  }
}

/// The view of a section together with what stands around the section.
struct Inside<Outer, Inner> {
  let outer: Outer
  let inner: Inner
}
