/// A member of a closed JSON object, and the property that it maps to.
struct DocumentMember<Root>: Sendable {
  let name: String
  let shape: ValueShape
  fileprivate var isRequired = false
  fileprivate let telling: ValueShape.Telling
  /// Returns nil if the member is left out.
  fileprivate let write: @Sendable (Root) -> JSON?
  fileprivate let read: @Sendable (JSON, inout Root) throws(DocumentError) -> Void

  /// - Parameters:
  ///   - name: The key.
  ///   - property: The property that it maps to.
  ///   - format: The format of its value.
  ///   - telling: Whether it is written always, sometimes or never.
  ///   - isWritten: Whether a value is written, if it is written sometimes.
  private init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Root, Value> & Sendable,
    _ format: ValueFormat<Value>,
    telling: ValueShape.Telling,
    isWritten: @escaping @Sendable (Value) -> Bool
  ) {
    self.name = name
    self.telling = telling
    shape = format.shape
    write = { root in
      let value = root[keyPath: property]
      // A bare nil would be JSON's null.
      return isWritten(value) ? format.write(value) : JSON?.none
    }
    read = { json, root throws(DocumentError) in
      root[keyPath: property] = try format.read(json)
    }
  }

  /// A member that is always written.
  init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Root, Value> & Sendable,
    _ format: ValueFormat<Value>
  ) {
    self.init(name, property, format, telling: .always) { _ in true }
  }

  /// A member that is left out for some values.
  init<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Root, Value> & Sendable,
    _ format: ValueFormat<Value>,
    isWritten: @escaping @Sendable (Value) -> Bool
  ) {
    self.init(name, property, format, telling: .sometimes, isWritten: isWritten)
  }

  /// A member that is read, but never written.
  static func secret<Value>(
    _ name: String,
    _ property: any WritableKeyPath<Root, Value> & Sendable,
    _ format: ValueFormat<Value>
  ) -> Self {
    Self(name, property, format, telling: .never) { _ in false }
  }

  /// The same member, which may not be left out.
  var required: Self {
    var member = self
    member.isRequired = true
    return member
  }
}

/// A closed JSON object: the members that it may have, and no others.
struct ObjectFormat<Root>: Sendable {
  let members: [DocumentMember<Root>]
  private let indexes: [String: Int]

  init(_ members: [DocumentMember<Root>]) {
    self.members = members
    indexes = Dictionary(
      members.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  var shape: ValueShape {
    .object(
      members.map {
        .init($0.name, $0.shape, isRequired: $0.isRequired, telling: $0.telling)
      }
    )
  }

  func json(of root: Root) -> JSON {
    .object(
      members.compactMap { member in
        member.write(root).map { JSON.Member(member.name, $0) }
      }
    )
  }

  /// Sets the properties whose members are present; the others keep their values.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has an invalid value.
  func read(_ json: JSON, over root: inout Root) throws(DocumentError) {
    guard case .object(let given) = json else { throw DocumentError("not an object") }
    for member in given {
      guard let index = indexes[member.name] else {
        throw .unknownKey(member.name, besides: members.map(\.name))
      }
      do throws(DocumentError) {
        try members[index].read(member.value, &root)
      } catch {
        throw error.inMember(member.name)
      }
    }
  }

  /// Reads a complete value, with all required members.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown, missing or has an invalid value.
  func read(_ json: JSON, over root: consuming Root) throws(DocumentError) -> Root {
    try read(json, over: &root)
    let missing = members.first { $0.isRequired && json[$0.name] == nil }
    if let missing { throw DocumentError("'\(missing.name)' is missing") }
    return root
  }

  /// The format of such objects as values of members.
  func values(over root: Root) -> ValueFormat<Root> where Root: Sendable {
    ValueFormat(shape) {
      json(of: $0)
    } read: { json throws(DocumentError) in
      try read(json, over: root)
    }
  }
}
