internal import Emulators
package import Foundation
internal import HTTPExchange
internal import Localization
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
  /// Reads a brand file, and points to the place of what is wrong with it.
  ///
  /// - Throws: `BrandFault` with the place where it is not JSON, or else with every problem that
  ///   `init(json:)` finds, with the place of its key.
  package init(document: Data) throws(BrandFault) {
    let bytes = Array(document)
    if let place = CatalogueFault.Position(ofFirstNonUTF8In: bytes) {
      let words = "it is not UTF-8 text: line \(place.line), column \(place.column)"
      throw BrandFault(BrandProblem(at: [], words))
    }
    if let fault = JSONFault(in: bytes) {
      throw BrandFault(BrandProblem(at: [], fault.description))
    }
    let reading = Result { () throws(BrandFault) -> Brand in try Brand(json: document) }
    self = try reading.mapError { fault in fault.located(in: bytes) }.get()
  }
}

extension BrandFault {
  /// The same problems, each with the place of its key in the file.
  fileprivate func located(in file: [UInt8]) -> BrandFault {
    let located = problems.map { $0.located(in: file) }
    guard let first = located.first else { return self }
    return BrandFault(first, Array(located.dropFirst()))
  }
}

extension BrandProblem {
  /// The same with the place of its key; unchanged if it is about several keys, or about none.
  fileprivate func located(in file: [UInt8]) -> BrandProblem {
    guard keys.count == 1, let key = keys.first else { return self }
    // A dot may be part of a name.
    let path = key.split(separator: ".", maxSplits: 1).map(String.init)
    let place = TextPosition(ofMember: [key], in: file) ?? TextPosition(ofMember: path, in: file)
    return place.map { BrandProblem(at: keys, "\(description) (\($0))") } ?? self
  }
}
