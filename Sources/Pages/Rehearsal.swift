/// Pages that the program requests itself, without a visitor, to learn what they say.
public enum Rehearsal {
  @TaskLocal public static var isOn = false

  /// The placeholder for a moment, since the words are shown when the moment is long past.
  static let moment = "{time}"
}
