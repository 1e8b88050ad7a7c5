/// Whether two secrets are equal, in a time that does not reveal where they differ.
public func isEqualInConstantTime(
  _ left: some StringProtocol,
  _ right: some StringProtocol
) -> Bool {
  isEqualInConstantTime(Array(left.utf8), Array(right.utf8))
}

/// Whether two secrets are equal, in a time that does not reveal where they differ.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for index in left.indices { difference |= left[index] ^ right[index] }
  return difference == 0
}
