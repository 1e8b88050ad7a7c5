internal import Foundation

/// The style sheet of emulated identity providers' pages; the content security policy admits it by
/// its digest.
struct ProviderStyle: Hashable, Sendable {
  let text: String
  /// SHA-256, in base64.
  let digest: String

  init(light: EmulatedApplication.Colors, dark: EmulatedApplication.Colors) {
    text = """

      :root { color-scheme: light dark; \(light.properties) }
      @media (prefers-color-scheme: dark) { :root { \(dark.properties) } }
      \(Self.rules)

      """
    digest = Data(sha256Of: text).base64EncodedString()
  }

  private static let rules = """
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
    .kind { margin: 0; padding: 0.375rem 1rem; background: var(--text); color: var(--page); font-size: 0.875rem; text-align: center; }
    main { width: min(100% - 2rem, 26rem); margin: clamp(1.5rem, 12vh, 7rem) auto 2rem; padding: clamp(1.25rem, 6vw, 2.25rem); border-radius: 0.875rem; background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 28px rgb(0 0 0 / 8%); }
    .application { margin: 0 0 0.25rem; font-weight: 600; }
    .application img { display: block; max-width: 100%; height: 2rem; margin: 0 0 1rem; }
    h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; text-wrap: pretty; }
    p { margin: 0 0 1rem; }
    [role="alert"] { padding: 0.5rem 0.875rem; border: 1px solid var(--error); border-inline-start-width: 5px; border-radius: 0.5rem; color: var(--error); font-weight: 500; }
    label { display: block; margin: 0 0 0.375rem; font-weight: 600; }
    input, button { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.75rem; border: 1px solid var(--control); border-radius: 0.5rem; font: inherit; }
    input { background: var(--card); color: inherit; }
    button { margin: 0.25rem 0 0.5rem; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
    button + button { background: none; border-color: var(--control); color: var(--text); font-weight: 500; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    form > p:last-child { margin: 0; }
    """
}

extension EmulatedApplication.Colors {
  fileprivate var properties: String {
    "--page: \(page); --card: \(card); --text: \(text); --control: \(control); --accent: \(accent); "
      + "--on-accent: \(textOnAccent); --error: \(error); --focus: \(focus);"
  }
}
