internal import Foundation

/// Leads the links and forms of a page of the atlas to other pages of it, so that no click leaves it.
public struct AtlasLinks: Sendable {
  private let address: @Sendable (_ name: String) -> String
  private let index: String

  /// - Parameters:
  ///   - index: The address of the list, used for pages that the atlas does not have.
  ///   - address: Returns the address of a page by its name.
  public init(index: String, address: @escaping @Sendable (_ name: String) -> String) {
    self.index = index
    self.address = address
  }

  /// The first state of each page, by the page.
  private static let first = Dictionary(
    uniqueKeysWithValues: Atlas.pages.map { ($0.page, "\($0.page)/\($0.states.first ?? "")") }
  )

  /// The document with its links redirected; links to static files and other sites stay as they
  /// are.
  public func following(in page: [UInt8]) -> [UInt8] {
    let text = String(decoding: page, as: UTF8.self)
      .replacing(#/(href|action)="(\/(?!public\/)[^"?#]*)[^"]*"/#) { match in
        "\(match.output.1)=\"\(destination(of: match.output.2))\""
      }
      // Nobody answers a form here.
      .replacing("method=\"post\"", with: "method=\"get\"")
    return Array(text.utf8)
  }

  private func destination(of path: Substring) -> String {
    let atlas = "/backstage/atlas/"
    if path.hasPrefix(atlas), Atlas.example(named: String(path.dropFirst(atlas.count))) != nil {
      return address(String(path.dropFirst(atlas.count)))
    }
    guard let name = Address(path: path).flatMap({ Self.first[$0.pageName] }) else { return index }
    return address(name)
  }
}
