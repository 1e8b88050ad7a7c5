/// A value that templates can show, with the names that its type defines.
///
/// The names are an enum, so that the compiler checks that each has a meaning; a template with any
/// other name is refused when it is loaded.
package protocol TemplateView: Sendable {
  associatedtype Name: RawRepresentable<String> & CaseIterable & Sendable

  /// What a name stands for in every value of this type.
  static func word(for name: Name) -> Word<Self>

  /// A cache key that determines everything written about the view besides the language; nil if it
  /// is written each time.
  var fragment: String? { get }
}

extension TemplateView {
  package var fragment: String? { nil }
}

/// The meaning of a name: how to get its value from a view, and how a template may use it.
package struct Word<View>: Sendable {
  let meaning: Meaning<View>

  /// Text that is written escaped; nil is written as nothing.
  package static func text(_ text: @escaping @Sendable (View) -> String?) -> Word {
    Word(meaning: .text(text))
  }

  /// A value that may differ for each visitor; nil is written as nothing.
  static func value(_ value: @escaping @Sendable (View) -> Value?) -> Word {
    Word(meaning: .value(value))
  }

  /// Whether a section is shown.
  package static func flag(_ flag: @escaping @Sendable (View) -> Bool) -> Word {
    Word(meaning: .flag(flag))
  }

  /// A section about one value, which is left out where there is none.
  package static func view<Inner: TemplateView>(
    _ view: @escaping @Sendable (View) -> Inner?
  ) -> Word {
    Word(
      meaning: .section(
        ViewsOfSection<View, Inner>(
          areThere: { view($0) != nil },
          visit: { outer, body in if let inner = view(outer) { body(inner) } },
          write: { outer, program, fragments, still in
            if let inner = view(outer) {
              program.write(inner, to: &still, keepingIn: fragments)
            }
          }
        )
      )
    )
  }

  /// A section that is repeated for each of some values.
  package static func each<Inner: TemplateView>(
    _ views: @escaping @Sendable (View) -> [Inner]
  ) -> Word {
    Word(
      meaning: .section(
        ViewsOfSection<View, Inner>(
          areThere: { !views($0).isEmpty },
          visit: { outer, body in for inner in views(outer) { body(inner) } },
          write: { outer, program, fragments, still in
            for inner in views(outer) {
              program.write(inner, to: &still, keepingIn: fragments)
            }
          }
        )
      )
    )
  }
}

/// A value to write: escaped text, or a stamp to be filled in later.
enum Value: Hashable, Sendable {
  case text(String)
  case stamp(Stamp)
}

/// The kinds of meaning that the template compiler distinguishes.
enum Meaning<View>: Sendable {
  case text(@Sendable (View) -> String?)
  case value(@Sendable (View) -> Value?)
  case flag(@Sendable (View) -> Bool)
  case section(any Section<View>)

  /// Whether there is a value, for `name?`.
  var isThere: @Sendable (View) -> Bool {
    switch self {
    case .text(let text): { text($0) != nil }
    case .value(let value): { value($0) != nil }
    case .flag(let flag): flag
    case .section(let section): section.areThere
    }
  }

  /// The same meaning for a value that contains the view.
  func reached<Whole>(through part: @escaping @Sendable (Whole) -> View) -> Meaning<Whole> {
    switch self {
    case .text(let text): .text { text(part($0)) }
    case .value(let value): .value { value(part($0)) }
    case .flag(let flag): .flag { flag(part($0)) }
    case .section(let section): .section(section.reached(through: part))
    }
  }
}

/// A section whose content is about other views than what stands around it.
protocol Section<View>: Sendable {
  associatedtype View

  /// Whether the content is shown at all.
  var areThere: @Sendable (View) -> Bool { get }

  func reached<Whole>(
    through part: @escaping @Sendable (Whole) -> View
  ) -> any Section<Whole>

  /// Compiles the content, for a section that stands in that scope.
  func writer(
    of content: [FlatNode],
    in scope: Scope<View>
  ) throws(TemplateFault) -> Program<View>.Writer
}

/// The views of a section, in their order.
struct ViewsOfSection<View, Inner: TemplateView>: Section {
  let areThere: @Sendable (View) -> Bool
  let visit: @Sendable (View, (Inner) -> Void) -> Void
  /// Writes a program for each of them; created where their type is known, so that rendering needs
  /// no dynamic lookup.
  let write: @Sendable (View, Program<Inner>, FragmentStore, inout Still) -> Void

  func reached<Whole>(
    through part: @escaping @Sendable (Whole) -> View
  ) -> any Section<Whole> {
    let (areThere, visit, write) = (areThere, visit, write)
    return ViewsOfSection<Whole, Inner>(
      areThere: { areThere(part($0)) },
      visit: { visit(part($0), $1) },
      write: { write(part($0), $1, $2, &$3) }
    )
  }

  /// Content that uses no names of the views around it is compiled without them, which is faster.
  func writer(
    of content: [FlatNode],
    in scope: Scope<View>
  ) throws(TemplateFault) -> Program<View>.Writer {
    let (visit, write) = (visit, write)
    do {
      let program = try Program(content, in: Scope<Inner>())
      let fragments = FragmentStore()
      return { view, still in write(view, program, fragments, &still) }
    } catch {
      guard case .unknownName = error.reason else { throw error }
      let program = try Program(content, in: Scope<Inside<View, Inner>>(inside: scope))
      return { view, still in
        visit(view) { program.write(Inside(outer: view, inner: $0), to: &still) }
      }
    }
  }
}
