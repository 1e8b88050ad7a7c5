/// An error sorted for one page: the problems at its fields, and those for its banner.
public struct PresentedError: Hashable, Sendable {
  /// In the order of the page's fields; each field at most once, its problems in the answer's order.
  public let fieldProblems: [(field: Field, problems: [Problem])]
  /// In the answer's order.
  public let generalProblems: [Problem]
  public let advice: RetryAdvice
  public let traceID: String?

  public static func == (left: Self, right: Self) -> Bool {
    left.generalProblems == right.generalProblems && left.advice == right.advice
      && left.traceID == right.traceID
      && left.fieldProblems.elementsEqual(right.fieldProblems) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(generalProblems)
    hasher.combine(traceID)
  }

  /// The problems at one field.
  public func problems(at field: Field) -> [Problem] {
    fieldProblems.first { $0.field == field }?.problems ?? []
  }
}

extension [Problem] {
  /// Each problem once, at its first place.
  fileprivate var withoutRepeats: [Problem] {
    // There are nearly always few problems: comparing them is faster than hashing them.
    guard count > 8 else {
      let firsts = indices.filter { !self[..<$0].contains(self[$0]) }
      return firsts.count == count ? self : firsts.map { self[$0] }
    }
    var seen: Set<Problem> = []
    return filter { seen.insert($0).inserted }
  }
}

extension AuthError {
  /// Sorts every problem to its field where the page has that field, otherwise to the banner.
  ///
  /// No problem is lost; of problems that are equal in every respect, one is kept.
  ///
  /// Rules: E1 to E3.
  public func presented(on fields: [Field]) -> PresentedError {
    let told = problems.withoutRepeats
    return PresentedError(
      fieldProblems: fields.compactMap { field in
        let own = told.filter { $0.field == field }
        return own.isEmpty ? nil : (field, own)
      },
      generalProblems: told.filter { problem in
        !(problem.field.map(fields.contains) ?? false)
      },
      advice: advice,
      traceID: traceID
    )
  }
}
