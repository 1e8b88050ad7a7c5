/// An error sorted for one page: what stands at a field, and what stands in the banner.
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
  /// Each once, where it stands first.
  fileprivate var withoutRepeats: [Problem] {
    // Nearly always there is a handful: to compare each is shorter than to hash them.
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
  /// No problem is lost; what is told twice, in every word the same, counts once.
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
