public import Foundation

/// A rendered page in which nothing has happened: the same for everyone, but for what is stamped into
/// each visitor's copy.
public struct SharedPage: Sendable {
  let still: Still

  /// The copy of one visitor.
  ///
  /// - Parameters:
  ///   - now: By the world's clock.
  ///   - formToken: The token of the visitor's form for that address.
  /// - Returns: The page in UTF-8.
  public func bytes(
    now: Date,
    formToken: @escaping @Sendable (_ action: Address) -> String
  ) -> [UInt8] {
    let visitor = Visitor(reference: "", now: now, timeZone: nil, formToken: formToken)
    return still.bytes(for: visitor)
  }
}

extension PageRenderer {
  /// What the page is made of that has been rendered in such a frame; nil where that is not the same
  /// for everyone, or where templates are read again.
  public func shared(_ page: any Page, in frame: PageFrame, asJSON: Bool) -> SharedPage? {
    stills.kept(page, in: frame, as: asJSON ? .json : .html).map(SharedPage.init)
  }
}
