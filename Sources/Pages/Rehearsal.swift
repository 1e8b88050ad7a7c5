/// Pages that nobody has come to: the program itself asks them, to learn what they say.
public enum Rehearsal {
  @TaskLocal public static var isOn = false

  /// In the place of a moment that words tell: what is learnt is told on when that is long over.
  static let moment = "{time}"
}
