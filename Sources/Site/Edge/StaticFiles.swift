internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// The static files: listed and read once at the start; a request never joins paths (S3).
public struct StaticFiles: Sendable {
  struct File: Sendable {
    var bytes: [UInt8]
    var contentType: String
    var entityTag: String
  }

  /// A folder that cannot be served.
  public struct Unreadable: Error, Sendable, CustomStringConvertible {
    public var description: String
  }

  private let byPath: [String: File]

  private static let contentTypes = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "txt": "text/plain; charset=utf-8",
  ]

  /// Reads every file of the folder whose kind is known; links and dotfiles are left out.
  ///
  /// - Throws: `Unreadable` when the folder or a file cannot be read.
  public init(folder: String) throws {
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: folder) else {
      throw Unreadable(description: "The folder of static files cannot be read: \(folder)")
    }
    var byPath: [String: File] = [:]
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      let type = try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      guard type == .typeRegular, let ending = name.split(separator: ".").last,
        let contentType = Self.contentTypes[String(ending)]
      else { continue }
      guard let data = files.contents(atPath: path) else {
        throw Unreadable(description: "The static file cannot be read: \(path)")
      }
      let digest = Base64URL.text(of: SHA256.hash(data: data)).prefix(22)
      byPath["/public/\(name)"] = File(
        bytes: Array(data),
        contentType: contentType,
        entityTag: "\"\(digest)\""
      )
    }
    self.byPath = byPath
  }

  func file(at path: Substring) -> File? { byPath[String(path)] }
}
