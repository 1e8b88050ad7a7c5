import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing

@Suite("The brand in the browser")
struct BrandFormTests {
  /// Keeps what is written.
  private final class Shelf: Sendable {
    let brands = Locked<[Brand]>([])
    var all: [Brand] { brands.withLock(\.self) }
  }

  private let shelf = Shelf()

  private func workbench(file: String?, fault: BrandFault? = nil) throws -> WorkbenchClient {
    let current = try Brand(json: Data(#"{"name": "Harbour", "radius": 10}"#.utf8))
    return WorkbenchClient(
      try BackstagePages(
        worlds: try Worlds(storage: .memory),
        renderer: .project(),
        secret: WorkbenchClient.secret,
        brand: BrandBench(
          read: { BrandBench.Reading(current, version: "now", fault: fault) },
          file: file,
          check: { brand throws(BrandFault) in
            guard brand.text(at: .file(.logo)) == nil else {
              throw BrandFault(BrandProblem(at: ["logo"], "the logo is not there"))
            }
          },
          write: { [shelf] brand in shelf.brands.withLock { $0.append(brand) } }
        )
      )
    )
  }

  private func send(
    _ fields: FormData,
    file: String? = "harbour.json",
    fault: BrandFault? = nil
  ) async throws -> WorkbenchClient.Page {
    try await workbench(file: file, fault: fault).send("brand", fields)
  }

  @Test("every key has one field with its present value, and four pages show the brand")
  func page() async throws {
    let page = try await workbench(file: "harbour.json").open("brand")
    let html = page.html
    for key in Brand.Key.allCases {
      #expect(html.ranges(of: "for=\"preview-\(key.name)\"").count == 1, "\(key.name)")
    }
    let labels = html.matches(of: #/<label for="preview-[^"]+">([^<]+)/#).map(\.output.1)
    #expect(labels.count == Brand.Key.allCases.count && Set(labels).count == labels.count)
    #expect(labels.contains("Words on buttons, in dark"))
    for label in labels { #expect(!label.contains("_") && !label.contains("."), "\(label)") }
    #expect(html.contains("colors.accent_text in the file."), "its name is said, too")
    #expect(html.contains(#/id="preview-name"[^>]* value="Harbour"/#))
    for shown in ["sign-in", "error", "code", "locked"] {
      let source = "src=\"/backstage/brand/preview/\(shown)?name=Harbour&amp;radius=10\""
      #expect(html.contains(source), "\(shown)")
    }
    #expect(html.contains("Write harbour.json"))
    let policy = page.fields[.contentSecurityPolicy] ?? ""
    #expect(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'none'"))
  }

  @Test("a preview shows what was typed, and writes nothing")
  func preview() async throws {
    let sent = try await send(["action": "preview", "name": "Quay <1>", "radius": "4"])
    #expect(sent.response.status == .ok)
    #expect(sent.html.contains("preview/sign-in?name=Quay+%3C1%3E&amp;radius=4\""))
    #expect(sent.html.contains(#"data-refused-at="/backstage/brand" data-unsent="preview""#))
    #expect(shelf.all.isEmpty)
    let same = try await send(["action": "preview", "name": "Harbour", "radius": "10"])
    #expect(same.html.contains("data-refused-at=") && !same.html.contains("data-unsent="))
  }

  @Test("colours that cannot be read are refused at their fields with the ratio, and not written")
  func contrast() async throws {
    for action in ["preview", "write"] {
      let sent = try await send([
        "action": action, "colors.accent": "#777777", "colors.accent_text": "#ffffff",
        "name": "Quay",
      ])
      #expect(sent.response.status == .unprocessableContent)
      for key in ["colors.accent", "colors.accent_text"] {
        let error = try #require(sent.html.firstRange(of: "id=\"preview-\(key)-error\""))
        #expect(sent.html[error.upperBound...].prefix(300).contains("4.47:1"), "\(key)")
      }
      #expect(sent.html.contains("value=\"Quay\""), "what was typed comes back")
      #expect(!sent.html.contains("Write harbour.json"))
    }
    #expect(shelf.all.isEmpty)
  }

  @Test("an impossible value, or a missing file, is reported at its field")
  func problems() async throws {
    for (name, value, words) in [
      ("radius", "wide", "a whole number from 0 to 24 is expected"),
      ("logo", "nowhere.svg", "the logo is not there"),
    ] {
      let sent = try await send(["action": "write", name: value])
      #expect(sent.response.status == .unprocessableContent)
      let error = try #require(sent.html.firstRange(of: "id=\"preview-\(name)-error\""))
      #expect(sent.html[error.upperBound...].prefix(300).contains(words))
    }
    #expect(shelf.all.isEmpty)
  }

  @Test("a wrong value and a missing file are reported together")
  func valuesAndFiles() async throws {
    let sent = try await send(["action": "write", "radius": "wide", "logo": "nowhere.svg"])
    #expect(sent.response.status == .unprocessableContent)
    for name in ["radius", "logo"] {
      #expect(sent.html.contains("id=\"preview-\(name)-error\""), "\(name)")
    }
    #expect(shelf.all.isEmpty)
  }

  @Test("problems are listed above the form, each with its field's label and a link to it")
  func summary() async throws {
    let sent = try await send(["action": "preview", "radius": "wide", "logo": "nowhere.svg"])
    let logo = "<li><a href=\"#preview-logo\">Logo: the logo is not there</a></li>"
    #expect(sent.html.contains(logo))
    let radius = "<li><a href=\"#preview-radius\">Rounding of corners, in pixels: "
    #expect(sent.html.ranges(of: radius).count == 1)
    let colours = try await send([
      "action": "preview", "colors.accent": "#777777", "colors.accent_text": "#ffffff",
    ])
    let linked = colours.html.ranges(of: "<li><a href=\"#preview-colors.")
    #expect(linked.count == 1, "a problem of two fields")
    let unusable = try await workbench(file: "harbour.json", fault: Self.fault).open("brand").html
    #expect(!unusable.contains("<li><a href=\"#preview-"))
  }

  @Test("without a file, the page says how there would be one to write")
  func noFile() async throws {
    let words = "start with --brand FILE, or download it."
    #expect(try await workbench(file: nil).open("brand").html.contains(words))
    #expect(try await !workbench(file: "harbour.json").open("brand").html.contains(words))
  }

  @Test("a brand saved since the page was opened is replaced only if the button is pressed again")
  func changedMeanwhile() async throws {
    let old = Data("older".utf8).base64EncodedString()
    let asked = try await send(["action": "write", "name": "Quay", "before": old])
    #expect(asked.response.status == .unprocessableContent)
    #expect(asked.html.contains("The file has changed since this page was opened."))
    #expect(asked.html.contains(#/id="preview-name"[^>]* value="Quay"/#), "nothing typed is lost")
    #expect(shelf.all.isEmpty)
    let now = try #require(asked.html.firstMatch(of: #/name="before" value="([^"]+)"/#)).output.1
    let written = try await send(["action": "write", "name": "Quay", "before": String(now)])
    #expect(written.response.status == .seeOther && shelf.all.count == 1)
    // A preview still counts from when its page was opened.
    let shown = try await send(["action": "preview", "name": "Quay", "before": old])
    #expect(shown.html.contains("value=\"\(old)\""))
  }

  @Test("a brand that is saved while the form's values are checked is not overwritten")
  func changedDuringCheck() async throws {
    let saved = Locked(false)
    let workbench = try shelved(
      version: { saved.withLock { $0 ? "later" : "now" } },
      check: { saved.withLock { $0 = true } }
    )
    let sent: FormData = ["action": "write", "name": "Quay", "before": "now"]
    let page = await workbench.send("brand", sent)
    #expect(page.response.status == .unprocessableContent)
    #expect(page.html.contains("The file has changed since this page was opened."))
    #expect(shelf.all.isEmpty)
  }

  @Test("of several forms that are sent at once from the same page, one is written")
  func writtenAtOnce() async throws {
    for _ in 0..<3 {
      let count = Locked(0)
      let workbench = try shelved(
        version: { count.withLock { "\($0)" } },
        written: {
          // Without turns, others would look at the file meanwhile.
          for _ in 0..<100 { sched_yield() }
          count.withLock { $0 += 1 }
        }
      )
      let statuses: [Int] = await withTaskGroup(of: Int.self) { group in
        for number in 0..<8 {
          let sent: FormData = ["action": "write", "name": "Quay \(number)", "before": "0"]
          group.addTask { await workbench.send("brand", sent).status }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [303] + Array(repeating: 422, count: 7))
      #expect(count.withLock(\.self) == 1)
    }
  }

  /// A workbench whose brand file has that version.
  private func shelved(
    version: @escaping @Sendable () -> String,
    check: @escaping @Sendable () -> Void = {},
    written: @escaping @Sendable () -> Void = {}
  ) throws -> WorkbenchClient {
    WorkbenchClient(
      try BackstagePages(
        worlds: try Worlds(storage: .memory),
        renderer: .project(),
        secret: WorkbenchClient.secret,
        brand: BrandBench(
          read: { BrandBench.Reading(Brand(), version: version()) },
          file: "harbour.json",
          check: { _ throws(BrandFault) in check() },
          write: { [shelf] brand in
            shelf.brands.withLock { $0.append(brand) }
            written()
          }
        )
      )
    )
  }

  private static let fault = BrandFault(BrandProblem(at: [], "it is not JSON: line 1, column 9"))

  @Test("an unusable file is reported above its last values, to people and to programs")
  func unusable() async throws {
    let workbench = try workbench(file: "harbour.json", fault: Self.fault)
    let page = await workbench.open("brand", [.accept: "text/html"])
    let html = page.html
    #expect(page.status == 422)
    #expect(html.contains("harbour.json cannot be used: it is not JSON: line 1, column 9."))
    #expect(html.contains(#/id="preview-name"[^>]* value="Harbour"/#))
    #expect(html.contains("Replace harbour.json, which cannot be used"))
    #expect(!html.contains("Write harbour.json"))
    let twin = await workbench.open("brand", [.accept: "application/json"])
    #expect(twin.status == 422 && twin.html.contains(#""code":"unusable_brand""#))
  }

  @Test(
    "an unusable file is replaced only by the button that says so, and only as it was shown",
    arguments: [
      ("write", "now", false), ("write", nil, false), ("preview", "now", false),
      ("replace", "older", false), ("replace", nil, false), ("replace", "now", true),
    ] as [(String, String?, Bool)]
  )
  func replaced(_ action: String, _ before: String?, _ isReplaced: Bool) async throws {
    var fields: FormData = ["action": action, "name": "Quay"]
    if let before { fields.append("before", before) }
    let sent = try await send(fields, fault: Self.fault)
    #expect(sent.response.status == (isReplaced ? .seeOther : .unprocessableContent))
    #expect(shelf.all.count == (isReplaced ? 1 : 0))
    guard !isReplaced else { return }
    #expect(sent.html.contains("it is not JSON: line 1, column 9"))
    #expect(sent.html.contains("Replace harbour.json, which cannot be used"))
    #expect(sent.html.contains(#/id="preview-name"[^>]* value="Quay"/#), "nothing typed is lost")
  }

  @Test("a brand is written to its file, or downloaded if it has none")
  func kept() async throws {
    let written = try await send(["action": "write", "name": "Quay"])
    #expect(written.response.status == .seeOther)
    #expect(written.location == "/backstage/brand")
    #expect(shelf.all.map { $0.text(at: .name) } == ["Quay"])

    let downloaded = try await send(["action": "download", "name": "Quay"], file: nil)
    #expect(
      downloaded.response.headerFields[.contentDisposition]
        == #"attachment; filename="brand.json""#
    )
    let brand = try Brand(json: Data(downloaded.response.body))
    #expect(brand.text(at: .name) == "Quay")
    let nowhere = try await send(["action": "write", "name": "Quay"], file: nil)
    #expect(nowhere.response.status == .badRequest)
    #expect(shelf.all.count == 1)
  }
}
