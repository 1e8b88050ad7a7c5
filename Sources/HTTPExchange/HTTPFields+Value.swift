public import HTTPTypes

extension HTTPFields {
  /// The value of the fields of that name, as by subscript; of a single one, which is what nearly all
  /// are, as it stands and not joined with nothing.
  public func value(of name: HTTPField.Name) -> String? {
    var value: String?
    for index in indices where self[index].isNamed(name) {
      if value != nil { return self[name] }
      value = self[index].value
    }
    return value
  }

  /// The values of the fields of that name, as by subscript, without the copies of all fields that it makes on its
  /// way.
  public func values(of name: HTTPField.Name) -> [String] {
    var values: [String] = []
    for index in indices where self[index].isNamed(name) { values.append(self[index].value) }
    return values
  }
}

extension HTTPField {
  /// Whether it has that name; by length first, which tells most apart.
  public func isNamed(_ name: HTTPField.Name) -> Bool {
    self.name.canonicalName.utf8.count == name.canonicalName.utf8.count && self.name == name
  }
}
