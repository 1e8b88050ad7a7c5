internal import Emulators
package import Foundation
internal import HTTPExchange
package import Pages

/// The calls about the brand file.
extension BackstageContext {
  func brandDocument() throws -> Response {
    guard let brand else { throw BackstageRefusal.notFound }
    let reading = brand.read()
    if let refusal = brand.refusal(of: reading) { throw refusal }
    return .json(encoded: Array(reading.brand.json))
  }

  /// Replaces the whole brand file, even an unusable one.
  ///
  /// A brand that would fail at startup is refused.
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
  /// Reads a brand file, and points to the place where it is not JSON.
  ///
  /// - Throws: `BrandFault` with the place, or with every problem that `init(json:)` finds.
  package init(document: Data) throws(BrandFault) {
    guard String(validating: document, as: UTF8.self) != nil else {
      throw BrandFault(BrandProblem(at: [], "it is not UTF-8 text"))
    }
    if let fault = JSONFault(in: Array(document)) {
      throw BrandFault(BrandProblem(at: [], fault.description))
    }
    try self.init(json: document)
  }
}
