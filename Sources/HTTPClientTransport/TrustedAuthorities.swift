internal import CCurl
internal import Foundation

/// The certificate authorities that are trusted, as the one file that libcurl reads for each new
/// connection.
///
/// Additional ones are appended to the system's in an unnamed file in memory, which goes with its
/// last user.
final class TrustedAuthorities: Sendable {
  /// The path of the file; nil leaves libcurl its built-in default.
  let path: String?
  private let memory: FileHandle?

  /// Where Debian's ca-certificates and similar packages keep them.
  private static let systemFile = "/etc/ssl/certs/ca-certificates.crt"

  /// - Parameter paths: PEM files of authorities to trust besides the system's.
  init(besidesTheSystems paths: [String]) {
    let system = FileManager.default.contents(atPath: Self.systemFile)
    memory = paths.isEmpty ? nil : Self.memory(holding: system, and: paths)
    path =
      memory.map { "/proc/self/fd/\($0.fileDescriptor)" } ?? system.map { _ in Self.systemFile }
  }

  /// A file that cannot be read adds nothing; a certificate that needed it is then not trusted.
  private static func memory(holding system: Data?, and paths: [String]) -> FileHandle? {
    let descriptor = ccurl_memory_file()
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let contents = [system] + paths.map { FileManager.default.contents(atPath: $0) }
    for content in contents.compactMap(\.self) {
      file.write(content)
      file.write(Data("\n".utf8))
    }
    return file
  }
}
