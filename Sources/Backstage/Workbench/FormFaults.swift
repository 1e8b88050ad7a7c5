internal import Emulators

extension BackstageRefusal {
  /// The refusals of a form's values, each of which is read by itself: a document is refused for the
  /// first of them alone.
  ///
  /// - Parameters:
  ///   - values: The values of the fields, as an object.
  ///   - read: Reads an object with one of them, or with one member of one that is an object.
  /// - Returns: A refusal for each value at fault, in the order of the form.
  static func faults(
    in values: JSON,
    reading read: (JSON) throws(DocumentError) -> Void
  ) -> [Self] {
    var faults: [Self] = []
    for part in values.parts {
      do throws(DocumentError) {
        try read(part)
      } catch {
        let fault = Self.invalid(error)
        // An object where a list is expected is at fault with each of its members.
        if !faults.contains(fault) { faults.append(fault) }
      }
    }
    return faults
  }
}

extension JSON {
  /// Objects with one member each, and so are the objects in them.
  fileprivate var parts: [JSON] {
    (members ?? []).flatMap { member -> [JSON] in
      guard let inner = member.value.members, inner.count > 1 else { return [.object([member])] }
      return inner.map { .object([Member(member.name, .object([$0]))]) }
    }
  }
}
