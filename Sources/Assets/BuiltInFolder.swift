private import CAssets

/// A folder of files that are linked into the program.
///
/// The bytes stay where the linker put them: no file is opened, and a file is copied only when its
/// bytes are requested.
public struct BuiltInFolder: Sendable {
  /// As the project calls it: `templates`.
  public let name: String

  public static let templates = BuiltInFolder(name: "templates")
  public static let publicFiles = BuiltInFolder(name: "Public")

  /// The paths of the files, relative to the folder, in no particular order.
  public var fileNames: [String] {
    Self.table.compactMap { file in
      let path = String(cString: file.path)
      return path.hasPrefix("\(name)/") ? String(path.dropFirst(name.utf8.count + 1)) : nil
    }
  }

  /// The bytes of a file; nil where there is none of that name.
  public func bytes(of fileName: String) -> [UInt8]? {
    let path = "\(name)/\(fileName)"
    return Self.table.first { String(cString: $0.path) == path }
      .map { Array(UnsafeBufferPointer(start: $0.bytes, count: $0.count)) }
  }

  private static var table: UnsafeBufferPointer<VestibuleFile> {
    UnsafeBufferPointer(start: vestibule_files, count: vestibule_file_count)
  }
}
