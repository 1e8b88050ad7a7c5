import Testing

@testable import Pages

@Suite("Pages that are about an error")
struct ConcernTests {
  @Test("a page whose content is about an error says so beforehand", arguments: PageExample.all)
  func announced(_ example: PageExample) {
    let content = example.page.content(in: example.frame)
    #expect(content.concerns.isEmpty || example.page.mayBeAboutErrors)
  }

  @Test("some pages, such as sign-in, are never about an error, and need not be asked")
  func few() {
    let announced = Set(PageExample.all.filter(\.page.mayBeAboutErrors).map(\.page.name))
    #expect(announced.isStrictSubset(of: Set(PageExample.all.map(\.page.name))))
    #expect(!announced.contains("sign-in"))
  }
}
