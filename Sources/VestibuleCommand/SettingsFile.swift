import Foundation

/// Folders that settings are found in.
enum SettingsFile {
  /// The folder of that name beside the program, then in the working directory.
  static func found(_ name: String) -> String {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    if let beside = program?.appendingPathComponent(name).path,
      FileManager.default.fileExists(atPath: beside)
    {
      return beside
    }
    return name
  }
}
