/// The time after which the current page has no more use for an answer.
///
/// A page may need several calls, one after another; all of them share one deadline, so that the
/// page is answered in time however the calls behave (S27).
public enum AnswerDeadline {
  @TaskLocal public static var current: ContinuousClock.Instant?
}
