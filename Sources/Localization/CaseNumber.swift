extension CaseIterable where Self: BitwiseCopyable {
  /// Which case of an enumeration without values this is, in the order of their declaration.
  ///
  /// It is read from the single byte that represents the value, which is faster than a search
  /// through `allCases`. The compiler assigns these bytes in declaration order, but the language
  /// does not guarantee it; tests therefore check every enumeration that uses this.
  ///
  /// - Precondition: There are 2 to 256 cases, which a byte tells apart.
  @inlinable package var caseNumber: Int {
    assert(MemoryLayout<Self>.size == 1, "a byte does not tell the cases of \(Self.self) apart")
    return withUnsafeBytes(of: self) { Int($0[0]) }
  }
}
