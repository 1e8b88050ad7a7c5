internal import Foundation
internal import GRDB

extension JSON {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = ["base64": .string(data.base64EncodedString())]
    }
  }

  /// Nil for a value that no column holds.
  var databaseValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .number(let number): number.databaseValue
    case .string(let text): text.databaseValue
    case .object: self["base64"]?.string.flatMap { Data(base64Encoded: $0) }?.databaseValue
    case .bool, .array: nil
    }
  }

  func allNumbers(within range: ClosedRange<Int64>) -> Bool {
    switch self {
    case .null, .bool, .string: true
    case .integer(let number): range.contains(number)
    case .number(let number): abs(number) <= Double(range.upperBound)
    case .array(let elements): elements.allSatisfy { $0.allNumbers(within: range) }
    case .object(let members): members.allSatisfy { $0.value.allNumbers(within: range) }
    }
  }
}
