internal import Emulators
internal import Foundation
internal import Pages
internal import Site

/// A brand with the files that belong to it, read once before anything is served.
public struct InstalledBrand: Sendable {
  let folder: BrandFolder
  let look: Look
  /// By what they are for.
  let files: [Brand.Asset: [UInt8]]

  init(
    _ brand: Brand,
    in folder: BrandFolder,
    revision: Int = 0
  ) throws(BrandFault) {
    self.folder = folder
    let look = Look(brand, revision: revision)
    self.look = look
    files = try folder.files(of: brand)
  }

  var brand: Brand { look.brand }

  /// What is served at a path.
  struct Served {
    var path: String
    var contentType: String
    var bytes: [UInt8]
  }

  /// The style sheet and the files, as they are served among the static ones.
  var served: [Served] {
    let sheet = look.styleSheet.map {
      Served(path: $0, contentType: "text/css; charset=utf-8", bytes: look.styleSheetBytes)
    }
    return [sheet].compactMap(\.self)
      + Brand.Asset.allCases.flatMap { asset -> [Served] in
        guard let (path, kind) = look.address(of: asset),
          let bytes = files[asset] ?? (asset == .icon ? look.monogramBytes : nil)
        else { return [] }
        return ([path] + (asset == .icon ? Self.iconsAskedForUnasked : [])).map {
          Served(path: $0, contentType: kind.contentType, bytes: bytes)
        }
      }
  }

  /// A picture as an address that holds it; nil for one that the brand does not have.
  func picture(_ asset: Brand.Asset) -> String? {
    guard let (_, kind) = look.address(of: asset), let bytes = files[asset] else { return nil }
    return "data:\(kind.contentType);base64,\(Data(bytes).base64EncodedString())"
  }

  /// Where browsers look for an icon that no page has named: nobody else's mark is there.
  private static let iconsAskedForUnasked = ["/favicon.ico", "/apple-touch-icon.png"]

  /// Puts them there.
  func add(to statics: inout StaticFiles) {
    for file in served { statics.add(file.bytes, contentType: file.contentType, at: file.path) }
  }
}

/// Where a brand's own files are looked for: beside its file, then among the static ones.
struct BrandFolder: Sendable {
  /// The brand file; nil for a brand that has none yet.
  var file: String?
  var publicFolder: String?

  /// How large a file of a brand may be.
  static let limitBytes = 2 * 1024 * 1024

  /// Reads all files that a brand names.
  ///
  /// - Throws: `BrandFault` with each that is missing, too large to be asked of every reader, or nothing that
  ///   browsers show as what its name says.
  func files(of brand: Brand) throws(BrandFault) -> [Brand.Asset: [UInt8]] {
    var files: [Brand.Asset: [UInt8]] = [:]
    var problems: [BrandProblem] = []
    for asset in Brand.Asset.allCases {
      guard let file = brand.files[asset] else { continue }
      do {
        files[asset] = try bytes(of: file, for: asset)
      } catch {
        problems.append(error)
      }
    }
    if let first = problems.first { throw BrandFault(first, Array(problems.dropFirst())) }
    return files
  }

  func bytes(of file: AssetFile, for asset: Brand.Asset) throws(BrandProblem) -> [UInt8] {
    let key = asset.rawValue
    guard let path = folders.map({ "\($0)/\(file.path)" }).first(where: Self.isFile) else {
      throw BrandProblem(
        at: [key],
        "'\(key)' is in none of the folders \(folders.joined(separator: ", ")): \(file.path)"
      )
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BrandProblem(at: [key], "'\(key)' cannot be read: \(path)")
    }
    guard data.count <= Self.limitBytes else {
      throw BrandProblem(
        at: [key],
        "'\(key)' is larger than \(Self.limitBytes / 1024 / 1024) MiB: \(path)"
      )
    }
    let bytes = Array(data)
    if let flaw = file.kind.flaw(of: bytes) {
      throw BrandProblem(at: [key], "'\(key)' \(flaw): \(path)")
    }
    return bytes
  }

  /// Wherever the files that a brand names are looked for.
  func places(of brand: Brand) -> [String] {
    brand.files.values.flatMap { file in folders.map { "\($0)/\(file.path)" } }.sorted()
  }

  private var folders: [String] {
    let own = file.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return [own, publicFolder].compactMap(\.self)
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}

extension EmulatedApplication {
  /// The application that a brand stands for.
  init(_ installed: InstalledBrand?) {
    guard let look = installed?.look else {
      self.init()
      return
    }
    let plain = EmulatedApplication()
    let hasColors = !look.brand.light.isEmpty || !look.brand.dark.isEmpty
    self.init(
      name: look.brand.name ?? plain.name,
      supportAddress: look.brand.support ?? plain.supportAddress,
      logo: installed.flatMap { installed in
        installed.picture(.logo).map { .init(light: $0, dark: installed.picture(.logoDark)) }
      },
      light: hasColors ? Colors(look.light) : nil,
      dark: hasColors ? Colors(look.dark) : nil
    )
  }
}

extension EmulatedApplication.Colors {
  fileprivate init(_ palette: Palette) {
    self.init(
      page: "\(palette.page)",
      card: "\(palette.card)",
      text: "\(palette.text)",
      control: "\(palette.control)",
      accent: "\(palette.accent)",
      textOnAccent: "\(palette.onAccent)",
      error: "\(palette.error)",
      focus: "\(palette.focus)"
    )
  }
}
