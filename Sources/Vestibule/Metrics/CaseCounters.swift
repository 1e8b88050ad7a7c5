internal import Localization
internal import Metrics

/// Counters for the cases of an enumeration, whose raw values are the values of a label.
struct CaseCounters<Case: CaseIterable & BitwiseCopyable & RawRepresentable>: Sendable
where Case.RawValue == String {
  private let counters = Counters(Case.allCases.count)

  func add(_ counted: Case) { counters.add(at: counted.caseNumber) }

  /// Writes a line for each case, including those with a count of zero.
  ///
  /// - Parameters:
  ///   - text: Gets the lines.
  ///   - name: The name of the metric.
  ///   - label: The label that names the case.
  ///   - labels: The labels before it.
  func write(
    to text: inout ExpositionText,
    as name: String,
    by label: String,
    after labels: [ExpositionText.Label] = []
  ) {
    for counted in Case.allCases {
      text.add(name, labels + [(label, counted.rawValue)], counters[counted.caseNumber])
    }
  }
}
