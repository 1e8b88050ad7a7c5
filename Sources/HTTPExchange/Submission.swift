/// The form for which a page's calls are made, so that an auth API can tell its repeat from a second
/// wish, whichever process it comes from.
public enum Submission {
  /// The same for the same form of the same visit, filled in alike, and for no other; who does not
  /// have the form cannot guess it.
  @TaskLocal public static var current: [UInt8]?
}
