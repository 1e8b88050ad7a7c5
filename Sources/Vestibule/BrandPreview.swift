internal import Backstage
internal import Crypto
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages
internal import Site

/// Pages with the brand that their query describes, shown within the page where it is edited.
struct BrandPreview: Sendable {
  let renderer: PageRenderer
  let folder: BrandFolder
  /// The emulated API.
  let api: EmulatedAuthAPI

  /// The states that are shown, by the last part of their path.
  private static let states = [
    "sign-in": "sign-in/fresh", "error": "sign-in/wrong-password",
    "code": "sign-in-code/just-sent", "locked": "locked/until",
  ]

  /// Nil if the request is not for a preview.
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
    // Encoded anew: every byte of an encoded query is safe in a style sheet too.
    let query = "?" + typed.text
    return Look(.sketch(typed: texts), at: .init(path: BrandBench.previewPath, query: query))
  }

  /// What the editing form has to show: all problems, and every colour, including those derived from others.
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

  /// An inert response that only this origin may frame.
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
  /// Edits the brand of a running program by writing its file; a brand read from a pipe has no file to write.
  ///
  /// - Parameters:
  ///   - folder: Where the brand file is, and the files that it names.
  ///   - served: The look of the pages, which is the last good one.
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
          // With --reload-templates the pages may have used a newer one.
          let last = lastRead.withLock(\.self)
          let brand = last.revision < look.revision ? look.brand : last.brand
          return Reading(brand, version: version, fault: error)
        }
      },
      file: file,
      check: folder.check,
      write: { brand in
        guard let file else { return }
        // A symbolic link is kept, and its target written: others rely on both.
        let place = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        try NamedFile.write(Array(brand.json), over: place)
      }
    )
  }
}

extension BrandFolder {
  /// Checks that every file that a brand names can be shown.
  fileprivate func check(_ brand: Brand) throws(BrandFault) { _ = try files(of: brand) }

  /// The brand file as a start reads it, checked with the files that it names, and a version that identifies it.
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
