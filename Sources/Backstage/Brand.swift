internal import Emulators
package import Foundation
internal import HTTPExchange
package import Pages

/// The brand as its file says it.
extension BackstageContext {
  func brandDocument() throws -> Response {
    guard let brand else { throw BackstageRefusal.notFound }
    let reading = brand.read()
    if let refusal = brand.refusal(of: reading) { throw refusal }
    return .json(encoded: Array(reading.brand.json))
  }

  /// Takes the place of all that the file says, also where that cannot be used; what is wrong with it is refused
  /// as at a start.
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
    return .json(encoded: Array(written.json))
  }
}

extension Brand {
  /// Reads a brand file, and tells its writer where it is no JSON.
  ///
  /// - Throws: `BrandFault` with the place, or with everything that `init(json:)` finds.
  package init(document: Data) throws(BrandFault) {
    guard String(validating: document, as: UTF8.self) != nil else {
      throw BrandFault(BrandProblem(at: [], "it is no UTF-8 text"))
    }
    if let fault = JSONFault(in: Array(document)) {
      throw BrandFault(BrandProblem(at: [], fault.description))
    }
    try self.init(json: document)
  }
}
