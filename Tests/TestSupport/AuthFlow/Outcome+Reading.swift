package import AuthFlow

extension Outcome {
  /// The state that a call led to; nil if it was refused.
  package var moved: State? {
    if case .moved(to: let state) = self { return state }
    return nil
  }

  /// Why it was refused.
  package var error: AuthError? {
    if case .refused(let error, _) = self { return error }
    return nil
  }

  /// Where a refusal leaves the flow; nil if the flow stays where it stood.
  package var standing: State? {
    if case .refused(_, let standing) = self { return standing }
    return nil
  }
}

extension AuthError {
  package var reasons: [Reason] { problems.map(\.reason) }
}
