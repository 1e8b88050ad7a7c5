internal import Emulators
internal import Foundation
internal import Pages
internal import Site

/// A brand with the files that belong to it, read once before anything is served.
public struct InstalledBrand: Sendable {
  let folder: BrandFolder
  let look: Look
  /// The brand's files by purpose.
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

  /// A file as it is served.
  struct Served {
    var path: String
    var contentType: String
    var bytes: [UInt8]
  }

  /// The style sheet and the files, served among the static files.
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

  /// An image as a `data:` URL; nil if the brand does not have it.
  func picture(_ asset: Brand.Asset) -> String? {
    guard let (_, kind) = look.address(of: asset), let bytes = files[asset] else { return nil }
    return "data:\(kind.contentType);base64,\(Data(bytes).base64EncodedString())"
  }

  /// Where browsers look for an icon unasked; the brand's icon is there too, not another mark.
  private static let iconsAskedForUnasked = ["/favicon.ico", "/apple-touch-icon.png"]

  /// Adds the served files to the static ones.
  func add(to statics: inout StaticFiles) {
    for file in served { statics.add(file.bytes, contentType: file.contentType, at: file.path) }
  }
}

/// Where a brand's files are looked for: beside the brand file, then among the static files.
struct BrandFolder: Sendable {
  /// The brand file; nil for a brand that has none yet.
  var file: String?
  var publicFolder: String?

  /// The largest size of a brand's file.
  static let limitBytes = 2 * 1024 * 1024

  /// Reads all files that a brand names.
  ///
  /// - Throws: `BrandFault` that lists each file that is missing, too large to send to every reader, or not of a
  ///   format that browsers show under its name.
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
    guard !folders.isEmpty else {
      throw BrandProblem(
        at: [key],
        "'\(key)' is a file, and no folder was given: start with --brand or --public"
      )
    }
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

  /// All paths at which the files that a brand names are looked for.
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
  /// The emulated application with a brand's name and look.
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
      termsURL: look.brand.terms,
      privacyPolicyURL: look.brand.privacyPolicy,
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
