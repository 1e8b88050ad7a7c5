import Mustache

/// A value that templates ask for by name.
///
/// Swift-mustache would find names by reflection, which is slow and silent about what it does not
/// find. Here the names are an enum: the compiler sees that each has a value, and a test sees that
/// each name in a template is one of them. `name?` asks whether there is something under `name`.
protocol TemplateView: AnyObject, MustacheParent, Sendable {
  associatedtype Name: RawRepresentable<String>, CaseIterable

  func value(of name: Name) -> TemplateValue
}

/// What a name may stand for in a template.
enum TemplateValue {
  case text(String?)
  case flag(Bool)
  case view((any TemplateView)?)
  case list([any TemplateView])

  var isPresent: Bool {
    switch self {
    case .text(let text): text != nil
    case .flag(let flag): flag
    case .view(let view): view != nil
    case .list(let views): !views.isEmpty
    }
  }
}

extension TemplateView {
  func child(named text: String) -> Any? {
    if text.utf8.last == UInt8(ascii: "?") {
      let asked = String(text.utf8.dropLast()) ?? ""
      return Name(rawValue: asked).map { value(of: $0).isPresent }
    }
    guard let name = Name(rawValue: text) else { return nil }
    switch value(of: name) {
    case .text(let text): return text
    case .flag(let flag): return flag
    case .view(let view): return view
    case .list(let views): return views
    }
  }
}
