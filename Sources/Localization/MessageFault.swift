/// Why a message cannot be used, and where in its text.
public struct MessageFault: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    case unclosedPlace
    case unopenedBrace
    /// The text found in the place of a value's name.
    case noName(String)
    /// Something other than `plural` and `select`.
    case unknownKind(String)
    /// A branch of a plural that is neither a category nor `=` and a number.
    case unknownCategory(String)
    case repeatedBranch(String)
    case missingOther
    /// A branch without its braces.
    case unopenedBranch(String)
    case tooDeep
  }

  public let reason: Reason
  /// Counted from 1 in Unicode scalars.
  public let column: Int
}

extension MessageFault.Reason {
  var words: String {
    switch self {
    case .unclosedPlace: "a brace is not closed"
    case .unopenedBrace: "a brace is closed, but was never opened"
    case .noName(""): "a name is missing"
    case .noName(let text): "\(text) is not the name of a value"
    case .unknownKind(let kind): "there is no \(kind), only plural and select"
    case .unknownCategory(let name):
      "\(name) is neither a number like =1 nor one of "
        + PluralCategory.allCases.map(\.rawValue).joined(separator: ", ")
    case .repeatedBranch(let name): "there are two branches \(name)"
    case .missingOther: "the branch other is missing"
    case .unopenedBranch(let name): "the branch \(name) has no braces"
    case .tooDeep: "more than \(MessageParser.depthLimit) choices are nested in each other"
    }
  }
}
