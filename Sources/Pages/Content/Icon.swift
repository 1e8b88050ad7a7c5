import AuthFlow

/// A picture for a method or an outcome; the words beside it say the same.
///
/// The raw values are part of the class names that style sheets know.
public enum Icon: String, Sendable, CaseIterable {
  case password, mail, message, link, app, list, organization
  case done, wait, halt, nothing, failure

  init(for kind: Factor.Kind) {
    self =
      switch kind {
      case .password: .password
      case .emailCode, .resetPasswordEmailCode: .mail
      case .phoneCode, .resetPasswordPhoneCode: .message
      case .emailLink: .link
      case .authenticatorCode: .app
      case .backupCode: .list
      case .enterprise: .organization
      }
  }

  init(for outcome: PageContent.Outcome) {
    self =
      switch outcome {
      case .done: .done
      case .wait: .wait
      case .halt: .halt
      case .nothing: .nothing
      case .failure: .failure
      }
  }

  /// The `d` attribute of an SVG path, drawn as strokes in a square of 24 units.
  var outline: String {
    switch self {
    case .password:
      "M6 11h12a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2zm2 0V7.5a4 4 0 0 1 8 0V11m-4 4v2"
    case .mail:
      "M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zm-1.5 2 8.5 6 8.5-6"
    case .message:
      "M20 15.5a2 2 0 0 1-2 2H9L5 21v-3.5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2zM7.5 9h8m-8 3.5h5"
    case .link:
      "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2"
    case .app:
      "M9 2.5h6a2.5 2.5 0 0 1 2.5 2.5v14a2.5 2.5 0 0 1-2.5 2.5H9a2.5 2.5 0 0 1-2.5-2.5V5A2.5 2.5 0 0 1 9 2.5zm.5 9.5 1.8 1.8 3.2-3.4"
    case .list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"
    case .organization:
      "M5 21V5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v16m0-11h2a2 2 0 0 1 2 2v9M3 21h18M9 7.5h3m-3 4h3m-3 4h3"
    case .done: circle + "M7.8 12.4l2.9 2.9 5.6-6"
    case .wait: circle + "M12 6.5V12l3.6 2.2"
    case .halt: circle + "M7.5 12h9"
    case .nothing: "M10.5 3.5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm5.3 12.3 5 5"
    case .failure: "M12 3.2 2.4 20h19.2zm0 6.3v4.6m0 3.100h.01"
    }
  }

  private var circle: String { "M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z" }
}
