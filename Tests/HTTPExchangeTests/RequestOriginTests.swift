import HTTPExchange
import HTTPTypes
import Testing

@Suite("What a browser says about the page that asks")
struct RequestOriginTests {
  private func isPart(_ fields: HTTPFields) -> Bool {
    Request(method: .get, target: "/", headerFields: fields).isPartOfForeignPage
  }

  @Test(
    "a page of another site or port makes what it loads part of a foreign page",
    arguments: ["cross-site", "same-site"],
    ["image", "iframe", "script", "empty"]
  )
  func part(site: String, destination: String) {
    #expect(isPart([.secFetchSite: site, .secFetchDestination: destination]))
  }

  @Test(
    "followed links, parts of our own pages and programs are not part of a foreign page",
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

  @Test("a prefetched page counts as foreign, wherever the browser says it comes from")
  func ahead() {
    #expect(
      isPart([.secPurpose: "prefetch", .secFetchSite: "none", .secFetchDestination: "document"])
    )
  }

  @Test(
    "an origin is ours only with the host that was asked for, and not without a host",
    arguments: [
      ("a.test", "http://a.test", true), ("a.test", "http://b.test", false),
      ("a.test", "http://", false), ("", "http://", false), ("", "http://public.test", false),
    ]
  )
  func own(host: String, origin: String, isOurs: Bool) {
    let request = Request(
      method: .post,
      target: "/",
      headerFields: [.host: host, .origin: origin]
    )
    #expect(OwnOrigins("http://public.test").admit(request) == isOurs)
  }
}
