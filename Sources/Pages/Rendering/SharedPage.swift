public import Foundation

/// A rendered page of an untouched visit, which is the same for everyone except for its stamps.
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
  /// The kept page for such a frame; nil if there is none, because it is not the same for everyone
  /// or files are reloaded.
  public func shared(_ page: any Page, in frame: PageFrame, asJSON: Bool) -> SharedPage? {
    stills.kept(page, in: frame, as: asJSON ? .json : .html).map(SharedPage.init)
  }
}
