import Backstage
import Dispatch
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import TestSupport
import Testing

@Suite("A large world as a document")
struct LargeWorldTests {
  private static let accountCount = 800

  private static var users: [AccountDescription] {
    (0..<accountCount).map { number in
      var user = AccountDescription()
      user.id = "user_\(number)"
      user.emailAddresses = ["person\(number)@example.com"]
      user.username = "person\(number)"
      user.firstName = String(repeating: "Person ", count: 10) + "\(number)"
      user.password = number % 2 == 0 ? "walk-right-in-42" : nil
      return user
    }
  }

  private func call(
    _ backstage: BackstageAPI,
    _ method: HTTPRequest.Method,
    _ path: String,
    content: Request.Content = .whole([]),
    world: String = "main"
  ) async -> Response {
    var request = Request(
      method: method,
      target: "/backstage/api/\(path)",
      headerFields: [
        .host: "localhost:8080", .mark: "1", .contentType: "application/json",
        .vestibuleWorld: world,
      ]
    )
    request.content = content
    return await backstage.respond(to: request)
  }

  @Test("is not read on a serving thread: other calls are answered meanwhile")
  func readElsewhere() async throws {
    let worlds = try Worlds(storage: .memory, users: [])
    let backstage = BackstageAPI(worlds: worlds)
    // An earlier read, which blocks until it is released.
    let end = DispatchSemaphore(value: 0)
    let before = Task.immediate { try await worlds.reading { end.wait() } }
    let imported = Locked<Response?>(nil)
    let importing = Task.immediate {
      // A document that is refused for its content is only read.
      let content = Request.Content.whole(Array(#"{"vestibule_world":2}"#.utf8))
      let answer = await call(backstage, .post, "import", content: content)
      imported.withLock { $0 = answer }
    }
    #expect(imported.withLock { $0 == nil }, "a serving thread has read it")
    #expect(await call(backstage, .get, "clock").status == .ok)
    end.signal()
    try await before.value
    await importing.value
    #expect(imported.withLock { $0?.status } == .unprocessableContent)
  }

  @Test(
    "is sent in short pieces, as it was when requested, and can be imported again",
    arguments: [true, false]
  )
  func travels(inMemory: Bool) async throws {
    try await withTemporaryFolder { folder in
      let storage = inMemory ? Worlds.Storage.memory : .folder(folder)
      let backstage = BackstageAPI(worlds: try Worlds(storage: storage, users: Self.users))
      let exported = await call(backstage, .get, "export")
      #expect(exported.status == .ok)
      guard case .pieces(let pieces) = exported.content else {
        Issue.record("the document is not in pieces")
        return
      }
      // Nobody waits for the reader, and what changes meanwhile is not in the document.
      #expect(await call(backstage, .delete, "users/user_799").status == .noContent)
      let spool = try SpooledBody()
      var count = 0
      while let piece = try await pieces.next() {
        #expect(piece.count < 132 * 1024)
        try piece.withUnsafeBytes { try spool.append($0) }
        count += 1
      }
      #expect(count > 5)
      let imported = await call(
        backstage,
        .post,
        "import",
        content: .spooled(spool),
        world: "copy"
      )
      #expect(imported.status == .ok, "\(String(decoding: imported.body, as: UTF8.self))")
      for id in ["user_0", "user_400", "user_799"] {
        #expect(await call(backstage, .get, "users/\(id)", world: "copy").status == .ok)
      }
      #expect(await call(backstage, .get, "users/user_799").status == .notFound)
    }
  }
}
