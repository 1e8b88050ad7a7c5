/// Where a renderer takes the look of its pages from.
public struct LookSource: Sendable {
  /// The look as its files say it now.
  let current: @Sendable () throws(TemplateFault) -> Look
  /// The same, or the last one that could be used.
  let lastGood: @Sendable () -> Look

  /// A look whose files are read again while the program runs.
  ///
  /// - Parameters:
  ///   - current: The look as its files say it now, or why they cannot be used.
  ///   - lastGood: The last one that could be used.
  public init(
    current: @escaping @Sendable () throws(TemplateFault) -> Look,
    lastGood: @escaping @Sendable () -> Look
  ) {
    self.current = current
    self.lastGood = lastGood
  }

  /// A look that stays as it is.
  public static func fixed(_ look: Look) -> LookSource {
    LookSource(current: { () throws(TemplateFault) in look }, lastGood: { look })
  }
}
