internal import HTTPExchange

extension JSON {
  /// One page of a list, with the length of the whole list.
  static func list(_ page: [JSON], of count: Int) -> JSON {
    ["data": .array(page), "total_count": .integer(Int64(count))]
  }
}

extension ClerkCall {
  /// The page of a list that `limit` and `offset` of the query select.
  ///
  /// - Throws: `invalid_query_parameter_value` if they are not numbers within their range.
  func page<Element>(of elements: [Element]) throws(ClerkRefusal) -> ArraySlice<Element> {
    let limit = try number("limit", in: 1...500) ?? 10
    let offset = try number("offset", in: 0...Int(Int32.max)) ?? 0
    return elements.dropFirst(offset).prefix(limit)
  }

  /// A flag in the query; false if it is absent.
  func queryFlag(_ name: String) throws(ClerkRefusal) -> Bool {
    switch query[name] {
    case nil, "false", "0": false
    case "true", "1": true
    case .some: throw .invalidQueryValue(name)
    }
  }

  private func number(
    _ name: String,
    in range: ClosedRange<Int>
  ) throws(ClerkRefusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else { throw .invalidQueryValue(name) }
    return number
  }
}
