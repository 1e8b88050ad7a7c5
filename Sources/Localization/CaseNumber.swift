extension CaseIterable where Self: BitwiseCopyable {
  /// Which case of an enumeration without values this is, in the order of their declaration.
  ///
  /// It is the byte that such a value consists of: to look for the case in `allCases` would take longer than to count
  /// it. That bytes are given out in this order is what the compiler does and the language does not promise, so tests
  /// hold to it every enumeration that is asked.
  ///
  /// - Precondition: There are 2 to 256 cases, which a byte tells apart.
  @inlinable package var caseNumber: Int {
    assert(MemoryLayout<Self>.size == 1, "a byte does not tell the cases of \(Self.self) apart")
    return withUnsafeBytes(of: self) { Int($0[0]) }
  }
}
