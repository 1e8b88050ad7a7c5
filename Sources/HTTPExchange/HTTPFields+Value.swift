public import HTTPTypes

extension HTTPFields {
  /// The combined value of the fields with that name, as the subscript returns it; without the cost of
  /// joining if there is only one, which is nearly always the case.
  public func value(of name: HTTPField.Name) -> String? {
    var value: String?
    for index in indices where self[index].isNamed(name) {
      if value != nil { return self[name] }
      value = self[index].value
    }
    return value
  }

  /// The values of the fields with that name, as the subscript returns them, but without the copies of all fields
  /// that it makes.
  public func values(of name: HTTPField.Name) -> [String] {
    var values: [String] = []
    for index in indices where self[index].isNamed(name) { values.append(self[index].value) }
    return values
  }
}

extension HTTPField {
  /// Whether it has that name; compares lengths first, which rules out most.
  public func isNamed(_ name: HTTPField.Name) -> Bool {
    self.name.canonicalName.utf8.count == name.canonicalName.utf8.count && self.name == name
  }
}
