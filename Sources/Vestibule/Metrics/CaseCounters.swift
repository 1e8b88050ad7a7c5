internal import Localization
internal import Metrics

/// Counts by the cases of an enumeration, whose raw values are what a label says.
struct CaseCounters<Case: CaseIterable & BitwiseCopyable & RawRepresentable>: Sendable
where Case.RawValue == String {
  private let counters = Counters(Case.allCases.count)

  func add(_ counted: Case) { counters.add(at: counted.caseNumber) }

  /// Writes a line for each case, those that have not been counted included.
  ///
  /// - Parameters:
  ///   - text: Gets the lines.
  ///   - name: What the figure is called.
  ///   - label: The label that says which case it is.
  ///   - labels: Those that stand before it.
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
