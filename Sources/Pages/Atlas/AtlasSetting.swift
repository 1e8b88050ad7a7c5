public import Localization

/// How a page of the atlas is shown, as the query of its address says.
public struct AtlasSetting: Sendable, Hashable {
  public enum Scheme: String, Sendable, CaseIterable { case light, dark }
  public enum Format: String, Sendable, CaseIterable { case html, json }

  /// Nil is English, so that a picture is the same for everyone.
  public var language: LanguageTag?
  /// Nil is the reader's own.
  public var scheme: Scheme?
  /// Whether it carries the brand that is installed.
  public var isBranded = true
  /// Whose API it says is emulated, as `--api` calls it; nil is the one that is.
  public var api: String?
  public var format = Format.html
  /// Whether it is a thumbnail in a frame: without scripts, autofocus, and links that leave the
  /// atlas.
  public var isStill = false

  public init() {}

  /// - Parameter value: The value of a query parameter.
  public init(_ value: (_ name: String) -> String?) {
    language = value(LanguageMenu.parameter).flatMap { LanguageTag($0) }
    scheme = value("scheme").flatMap(Scheme.init)
    isBranded = value("brand") != "off"
    api = value("api").flatMap { $0.isEmpty ? nil : $0 }
    format = value("format").flatMap(Format.init) ?? .html
    isStill = value("still") != nil
  }

  /// The query parameters of the settings; defaults are left out.
  public var parameters: [(name: String, value: String)] {
    [
      (LanguageMenu.parameter, language?.text), ("scheme", scheme?.rawValue),
      ("brand", isBranded ? nil : "off"), ("api", api),
      ("format", format == .html ? nil : format.rawValue), ("still", isStill ? "1" : nil),
    ].compactMap { name, value in value.map { (name, $0) } }
  }
}
