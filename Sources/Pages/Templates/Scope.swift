/// The names that can be said at a place of a template: those of the view that it is about, and of
/// the views around that one.
struct Scope<View> {
  private let ownNames: [String]
  private let namesAround: [String]
  private let own: @Sendable (String) -> Meaning<View>?
  private let around: @Sendable (String) -> Meaning<View>?

  /// A place that is about a view with nothing around it.
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

  /// What a name stands for: `.name` in the innermost view alone, `name?` whether it is there.
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
