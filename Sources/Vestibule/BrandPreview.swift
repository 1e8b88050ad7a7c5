internal import Backstage
internal import Crypto
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages
internal import Site

/// Pages with a brand that stands in their query, within the page where it is made.
struct BrandPreview: Sendable {
  let renderer: PageRenderer
  let folder: BrandFolder
  /// Whose API is emulated.
  let api: EmulatedAuthAPI

  /// The states that are shown, by the last part of their path.
  private static let states = [
    "sign-in": "sign-in/fresh", "error": "sign-in/wrong-password",
    "code": "sign-in-code/just-sent", "locked": "locked/until",
  ]

  /// Nil where the request is for nothing of a preview.
  func answer(to request: Request) -> Response? {
    guard request.method == .get || request.method == .head,
      request.path.hasPrefix(BrandBench.previewPath)
    else { return nil }
    var texts: [String: String] = [:]
    var typed = FormData()
    for field in request.queryParameters.fields where texts[field.name] == nil {
      texts[field.name] = field.value
      typed.append(field.name, field.value)
    }
    let look = look(of: texts, typed)
    let rest = request.path.dropFirst(BrandBench.previewPath.count)
    if rest == ".css" { return Self.shown(look.styleSheetBytes, as: "text/css; charset=utf-8") }
    if rest == ".json" { return Self.shown(findings(texts, look), as: "application/json") }
    guard rest.first == "/" else { return nil }
    let name = rest.dropFirst()
    return page(name, look, of: request.worldText) ?? file(name, look)
  }

  private func look(of texts: [String: String], _ typed: FormData) -> Look {
    // Written anew: what stands in an address is safe in a style sheet, too.
    let query = "?" + typed.text
    return Look(.sketch(typed: texts), at: .init(path: BrandBench.previewPath, query: query))
  }

  /// What the form where it is typed has to tell of it: all that is wrong, and each colour, also of those that are
  /// made of others.
  private func findings(_ texts: [String: String], _ look: Look) -> [UInt8] {
    var problems: [BrandProblem] = []
    do throws(BrandFault) {
      _ = try Brand(typed: texts, checkedBy: folder.check)
    } catch {
      problems = error.problems
    }
    let colors = Brand.Key.allCases.compactMap { key -> JSON.Member? in
      guard case .color(let scheme, let role) = key else { return nil }
      return JSON.Member(key.name, .string("\(look.color(role, in: scheme))"))
    }
    let told = problems.map { problem -> JSON in
      ["keys": .array(problem.keys.map(JSON.string)), "words": .string(problem.description)]
    }
    return (["colors": .object(colors), "problems": .array(told)] as JSON).encoded
  }

  private func page(
    _ name: Substring,
    _ look: Look,
    of world: String?
  ) -> Response? {
    guard let state = Self.states[String(name)] else { return nil }
    do {
      let atlas = Atlas(renderer: renderer.wearing(look))
      let page = try atlas.page(named: state, over: api.name, of: world)
      return page.map { Self.shown(AtlasPages.still($0), as: "text/html; charset=utf-8") }
    } catch {
      return Self.shown(PageRenderer.document(about: error), as: "text/html; charset=utf-8")
    }
  }

  private func file(_ name: Substring, _ look: Look) -> Response? {
    for asset in Brand.Asset.allCases {
      guard let (_, kind) = look.address(of: asset), name == "\(asset.rawValue).\(kind.rawValue)"
      else { continue }
      let named = look.brand.files[asset].flatMap { try? folder.bytes(of: $0, for: asset) }
      guard let bytes = named ?? (asset == .icon ? look.monogramBytes : nil) else { return nil }
      return Self.shown(bytes, as: kind.contentType)
    }
    return nil
  }

  /// Inert, and to be framed by this origin alone.
  private static func shown(_ body: [UInt8], as type: String) -> Response {
    Response(
      status: .ok,
      headerFields: [
        .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: policy,
        .xFrameOptions: "SAMEORIGIN",
      ],
      body: body
    )
  }

  private static let policy = """
    default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    form-action 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'self'
    """
}

extension BrandBench {
  /// The brand of a running program, whose own file can be written; what came through a pipe has none.
  ///
  /// - Parameters:
  ///   - folder: Where its file is, and those that this names.
  ///   - served: How the pages look, or did when that could be read last.
  init(_ folder: BrandFolder, serving served: @escaping @Sendable () -> Look) {
    let file = folder.file.flatMap { NamedFile.canBeReadAgain($0) ? $0 : nil }
    let lastRead = Locked(served())
    self.init(
      read: {
        let look = served()
        guard let file else { return Reading(look.brand, version: "") }
        let (written, version) = folder.reading(of: file)
        do throws(BrandFault) {
          let brand = try written.get()
          lastRead.withLock { $0 = Look(brand, revision: look.revision) }
          return Reading(brand, version: version)
        } catch {
          // Where files are read again the pages may have had a newer one.
          let last = lastRead.withLock(\.self)
          let brand = last.revision < look.revision ? look.brand : last.brand
          return Reading(brand, version: version, fault: error)
        }
      },
      file: file,
      check: folder.check,
      write: { brand in
        guard let file else { return }
        // A link stays one: what it leads to is written, and both are what others know them by.
        let place = URL(fileURLWithPath: file).resolvingSymlinksInPath()
        try brand.json.write(to: place, options: .atomic)
      }
    )
  }
}

extension BrandFolder {
  /// Whether all files that a brand names can be shown.
  fileprivate func check(_ brand: Brand) throws(BrandFault) { _ = try files(of: brand) }

  /// What the brand file says as a start reads it, with the files that it names, and a name of this content of it.
  fileprivate func reading(of file: String) -> (Result<Brand, BrandFault>, version: String) {
    let data: Data
    do throws(NamedFile.Unreadable) {
      data = try NamedFile.data(of: file, again: true)
    } catch {
      let problem = BrandProblem(at: [], "the file cannot be read: \(error.reason)")
      return (.failure(BrandFault(problem)), "unreadable")
    }
    let version = Data(SHA256.hash(data: data)).base64EncodedString()
    let written = Result { () throws(BrandFault) -> Brand in
      let brand = try Brand(document: data)
      try check(brand)
      return brand
    }
    return (written, version)
  }
}
