internal import Emulators
package import Foundation
internal import HTTPExchange
package import Pages

/// The brand as its file says it.
extension BackstageContext {
  func brandDocument() throws -> Response {
    guard let brand else { throw BackstageRefusal.notFound }
    return .json(encoded: Array(brand.current().json))
  }

  /// Takes the place of all that the file says; what is wrong with it is refused as at a start.
  func writeBrand(_ call: BackstageCall) throws -> Response {
    guard let brand else { throw BackstageRefusal.notFound }
    let document = Data(try call.requiredBody().encoded)
    let written: Brand
    do throws(BrandFault) {
      written = try Brand(json: document)
      try brand.check(written)
    } catch {
      throw BackstageRefusal.invalid(error.description)
    }
    try brand.keep(written)
    return try brandDocument()
  }
}

extension Brand {
  /// Reads a brand file, and tells its writer where it is no JSON.
  ///
  /// - Throws: `BrandFault` with the place, or with everything that `init(json:)` finds.
  package init(document: Data) throws(BrandFault) {
    if let fault = JSONFault(in: Array(document)) {
      throw BrandFault(BrandProblem(at: [], fault.description))
    }
    try self.init(json: document)
  }
}
