import AuthFlow
import Foundation
import Synchronization

/// Who looks at a page, and when.
///
/// It notices when a page is told of it, beyond what is stamped: that page is this visitor's alone.
final class Visitor: Sendable {
  struct Facts {
    let reference: String
    let now: Date
    let timeZone: TimeZone?
  }

  private let facts: Facts
  private let formToken: @Sendable (_ action: Address) -> String
  private let wasTold = Atomic(false)

  init(
    reference: String,
    now: Date,
    timeZone: TimeZone?,
    formToken: @escaping @Sendable (_ action: Address) -> String
  ) {
    facts = Facts(reference: reference, now: now, timeZone: timeZone)
    self.formToken = formToken
  }

  /// What a page is told, which makes it this visitor's alone.
  var told: Facts {
    wasTold.store(true, ordering: .relaxed)
    return facts
  }

  /// Whether a page rendered for this visitor would be the same for every other, but for stamps.
  var isAnyone: Bool { !wasTold.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - stamp: What is asked for.
  ///   - typed: What was typed into the page's field, if anything.
  ///   - error: The refusal that the page tells of, if any.
  /// - Returns: The text, without markup.
  func text(
    of stamp: Stamp,
    typed: TypedText? = nil,
    telling error: AuthError? = nil
  ) -> String {
    switch stamp {
    case .formToken(let action): formToken(action)
    case .now: facts.now.exactTimestamp
    case .reference: facts.reference
    case .traceID: error?.traceID ?? facts.reference
    case .typed: typed?.text ?? ""
    case .addressCarryingTyped(let address, let parameter):
      typed?.text.ifEmailAddress.map { address.adding(parameter, $0) } ?? address.path
    }
  }
}
