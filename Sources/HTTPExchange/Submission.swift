/// The form submission for which calls are made, so that an auth API can tell a repeat from a second
/// submission, whichever process sends it.
public enum Submission {
  /// The same only for the same form of the same visit with the same values; it cannot be guessed
  /// without the form.
  @TaskLocal public static var current: [UInt8]?
}
