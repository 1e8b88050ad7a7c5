internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

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
