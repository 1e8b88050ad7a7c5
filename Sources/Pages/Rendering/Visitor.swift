import AuthFlow
import Foundation
import Synchronization

/// The visitor that a page is rendered for, at one moment.
///
/// It records any access to its facts other than by stamps, which makes the page this visitor's
/// alone.
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

  /// The facts, to be read while rendering; this makes the page the visitor's alone.
  var told: Facts {
    wasTold.store(true, ordering: .relaxed)
    return facts
  }

  /// Whether a page rendered for this visitor would be the same for everyone, apart from its
  /// stamps.
  var isAnyone: Bool { !wasTold.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - stamp: The stamp.
  ///   - typed: The text typed into the page's field, if any.
  ///   - error: The auth API's refusal that the page reports, if any.
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
