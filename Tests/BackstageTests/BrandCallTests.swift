import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@Suite("The brand as JSON")
struct BrandCallTests {
  /// A brand file that is kept in memory.
  private final class Shelf: Sendable {
    private let brand: Locked<Brand>
    var now: Brand { brand.withLock(\.self) }

    init(_ brand: Brand) { self.brand = Locked(brand) }
    func write(_ other: Brand) { brand.withLock { $0 = other } }
  }

  private static let document =
    ##"{"name": "Harbour", "colors": {"accent": "#0b6e4f"}, "radius": 10}"##

  private let shelf: Shelf

  init() throws { shelf = Shelf(try Brand(json: Data(Self.document.utf8))) }

  private func send(
    _ method: HTTPRequest.Method,
    _ body: String? = nil,
    file: String? = "harbour.json",
    fault: BrandFault? = nil,
    fields: [HTTPField] = [],
    isMarked: Bool = true
  ) async throws -> Answer {
    let client = try BackstageClient(
      users: [],
      brand: BrandBench(
        read: { [shelf] in BrandBench.Reading(shelf.now, version: "now", fault: fault) },
        file: file,
        check: { brand throws(BrandFault) in
          guard brand.text(at: .file(.logo)) == nil else {
            throw BrandFault(BrandProblem(at: ["logo"], "the logo is not there"))
          }
        },
        write: { [shelf] brand in shelf.write(brand) }
      )
    )
    return try await client.send(method, "brand", body: body, fields: fields, isMarked: isMarked)
  }

  @Test("it is read as it is in its file")
  func read() async throws {
    let answer = try await send(.get)
    #expect(answer.status == 200)
    #expect(answer.json == JSON(decoding: Array(Self.document.utf8)))
  }

  @Test("an unusable file is reported, and can be replaced by a whole document")
  func unusable() async throws {
    let fault = BrandFault(BrandProblem(at: [], "it is not JSON: line 1, column 9"))
    let answer = try await send(.get, fault: fault)
    #expect(answer.status == 422 && answer.code == "unusable_brand")
    #expect(
      answer.json["errors"]?[0]?["message"]
        == "harbour.json cannot be used: it is not JSON: line 1, column 9."
    )
    #expect(try await send(.put, #"{"name": "Quay"}"#, fault: fault).json == ["name": "Quay"])
    #expect(shelf.now == (try Brand(json: Data(#"{"name": "Quay"}"#.utf8))))
  }

  @Test("writing replaces the whole brand, and answers with the new one")
  func written() async throws {
    let sent =
      ##"{"name": "Quay", "colors_dark": {"accent": "#56c596", "accent_text": "#06251a"}}"##
    let answer = try await send(.put, sent)
    #expect(answer.status == 200)
    #expect(answer.json == JSON(decoding: Array(sent.utf8)))
    #expect(shelf.now == (try Brand(json: Data(sent.utf8))))
    let emptied = try await send(.put, "{}")
    #expect(emptied.status == 200 && emptied.json == [:])
  }

  @Test(
    "a brand that a start would refuse is refused with all reasons, and nothing is written",
    arguments: [
      (#"{"nmae": "Quay", "radius": "wide"}"#, ["unknown key 'nmae'", "'radius' is"]),
      (##"{"colors": {"accent": "#777777", "accent_text": "#ffffff"}}"##, ["4.47:1"]),
      (#"{"logo": "nowhere.svg"}"#, ["the logo is not there"]),
    ]
  )
  func refused(_ body: String, _ reasons: [String]) async throws {
    let before = shelf.now
    let answer = try await send(.put, body)
    #expect(answer.status == 422 && answer.code == "invalid_value")
    let message = answer.json["errors"]?[0]?["message"]?.string ?? ""
    for reason in reasons { #expect(message.contains(reason), "\(message)") }
    #expect(shelf.now == before)
  }

  @Test("writing needs a file, a brand needs pages, and other sites reach neither")
  func nowhere() async throws {
    let before = shelf.now
    let fileless = try await send(.put, #"{"name": "Quay"}"#, file: nil)
    #expect(fileless.status == 422 && fileless.code == "no_brand_file")
    #expect(try await send(.put, "[1]").code == "malformed_request")
    #expect(try await send(.post, "{}").status == 405)
    #expect(try await send(.put, "{}", isMarked: false).status == 403)
    #expect(
      try await send(.put, "{}", fields: [HTTPField(name: .site, value: "cross-site")]).status
        == 403
    )
    #expect(shelf.now == before)
    let client = try BackstageClient(users: [])
    #expect(try await client.send(.get, "brand").status == 404)
    #expect(try await client.send(.put, "brand", body: "{}").status == 404)
  }
}
