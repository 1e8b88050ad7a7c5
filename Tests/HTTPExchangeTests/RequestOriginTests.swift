import HTTPExchange
import HTTPTypes
import Testing

@Suite("What a browser says of the page that asks")
struct RequestOriginTests {
  private func isPart(_ fields: HTTPFields) -> Bool {
    Request(method: .get, target: "/", headerFields: fields).isPartOfForeignPage
  }

  @Test(
    "what a page of another site or port has within itself is a part of it",
    arguments: ["cross-site", "same-site"],
    ["image", "iframe", "script", "empty"]
  )
  func part(site: String, destination: String) {
    #expect(isPart([.secFetchSite: site, .secFetchDestination: destination]))
  }

  @Test(
    "links that are followed, what our own pages have within them, and programs are no such part",
    arguments: [
      [.secFetchSite: "cross-site", .secFetchDestination: "document"],
      [.secFetchSite: "same-site", .secFetchDestination: "document"],
      [.secFetchSite: "same-origin", .secFetchDestination: "iframe"],
      [.secFetchSite: "same-origin", .secFetchDestination: "empty"],
      [.secFetchSite: "none", .secFetchDestination: "document"],
      [.secFetchSite: "same-site"], [:],
    ] as [HTTPFields]
  )
  func whole(fields: HTTPFields) {
    #expect(!isPart(fields))
  }

  @Test("what is fetched ahead is nobody's yet, wherever the browser says it comes from")
  func ahead() {
    #expect(
      isPart([.secPurpose: "prefetch", .secFetchSite: "none", .secFetchDestination: "document"])
    )
  }
}
