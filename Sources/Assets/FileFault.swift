/// Why a file or a folder of files cannot be used.
public struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    case unreadableFolder
    case unreadableFile
    /// A symbolic link that does not lead to a file inside its folder.
    case leadsOut
  }

  public let path: String
  public let reason: Reason

  /// The message in the format of compilers: `brand/logo.png: the file cannot be read`.
  public var description: String { "\(path): \(reason)" }
}

extension FileFault.Reason {
  public var description: String {
    switch self {
    case .unreadableFolder: "the folder cannot be read"
    case .unreadableFile: "the file cannot be read"
    case .leadsOut: "the link does not lead to a file of the folder"
    }
  }
}
