public import HTTPTypes

extension HTTPFields {
  /// The value of the fields of that name, as by subscript; of a single one, which is what nearly all
  /// are, as it stands and not joined with nothing.
  public func value(of name: HTTPField.Name) -> String? {
    var value: String?
    for field in self where field.name == name {
      if value != nil { return self[name] }
      value = field.value
    }
    return value
  }
}
