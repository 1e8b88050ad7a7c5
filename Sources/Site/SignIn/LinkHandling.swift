internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The pages of e-mailed links: waiting for one, and landing by one.
extension Site {
  func linkPage(_ turn: inout Turn) -> Answer {
    if let link = turn.openedLink { return landing(link, standing: turn.standing(of: link), &turn) }
    guard case .linkRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    return .page(LinkPage(prompt: prompt))
  }

  func signUpLinkPage(_ turn: inout Turn) -> Answer {
    if let link = turn.openedLink { return landing(link, standing: turn.standing(of: link), &turn) }
    guard case .linkRequired(let prompt)? = turn.visit.signUp else { return turn.movedOn() }
    return .page(LinkPage(prompt: prompt))
  }

  /// Goes on by the link that was opened, or asks whether one was.
  func submitLink(_ turn: inout Turn) async -> Answer {
    let link = turn.openedLink
    if let link, let answer = refusal(of: link, &turn) { return answer }
    guard case .linkRequired? = turn.visit.signIn?.state else { return turn.movedOn() }
    let advance = await turn.signInFlow.advance(
      turn.visit.signIn?.state ?? .identifierRequired,
      with: link.flatMap(SignInInput.init(following:)) ?? .check,
      memory: &turn.visit.memory
    )
    if case .refused(let error, let state) = advance, let link, error.isAboutLink {
      turn.visit.stand(at: state, finishesPasswordReset: false)
      return refused(error, to: link, &turn)
    }
    if case .moved = advance, let attempt = link?.attempt { turn.visit.spendLink(of: attempt) }
    return await take(advance, finishesPasswordReset: false, &turn)
  }

  func submitSignUpLink(_ turn: inout Turn) async -> Answer {
    let link = turn.openedLink
    if let link, let answer = refusal(of: link, &turn) { return answer }
    guard case .linkRequired? = turn.visit.signUp else { return turn.movedOn() }
    if let proof = turn.form[Field.factor.name] { return await submitProof(proof, &turn) }
    let advance = await turn.signUpFlow.advance(
      turn.visit.signUp ?? .detailsRequired,
      with: link.flatMap(SignUpInput.init(following:)) ?? .checkLink,
      form: InstanceDescription.unknown.signUp,
      memory: &turn.visit.memory
    )
    if case .refused(let error, let state) = advance, let link, error.isAboutLink {
      turn.visit.signUp = state
      return refused(error, to: link, &turn)
    }
    if case .moved = advance, let attempt = link?.attempt { turn.visit.spendLink(of: attempt) }
    return await take(advance, .unknown, &turn)
  }

  func resendSignUpLink(_ turn: inout Turn) async -> Answer {
    guard case .linkRequired? = turn.visit.signUp else { return turn.movedOn() }
    return await resendContactCode(&turn)
  }

  /// The page that a link leads to, or the account of someone who is in already.
  private func landing(
    _ link: FollowedLink,
    standing: LinkStanding,
    _ turn: inout Turn
  ) -> Answer {
    // That a message was sent is news on the page that waits for it, not where its link leads.
    turn.notices = []
    if case .refused(let error) = standing {
      return error.contains(where: { $0 == .linkUsed })
        ? refused(error, to: link, &turn) : alreadyIn(&turn) ?? refused(error, to: link, &turn)
    }
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    return .page(turn.landingPage(link, standing))
  }

  /// The answer to a link that leads nowhere, found without asking.
  private func refusal(of link: FollowedLink, _ turn: inout Turn) -> Answer? {
    switch turn.standing(of: link) {
    case .ready: nil
    case .verifiedElsewhere: landing(link, standing: .verifiedElsewhere, &turn)
    case .refused(let error): landing(link, standing: .refused(error), &turn)
    }
  }

  private func refused(_ error: AuthError, to link: FollowedLink, _ turn: inout Turn) -> Answer {
    events.refused(error, turn)
    return .page(turn.landingPage(link, .refused(error)), status: error.linkLandingStatus)
  }
}

extension Turn {
  /// What the address says of a link, or the form of a page that it led to.
  ///
  /// Whatever else is in it is dropped: only what the provider knows comes back.
  fileprivate var openedLink: FollowedLink? {
    let values = request.method == .post ? form : request.queryParameters
    var parameters: [String: String] = [:]
    for field in values.fields.prefix(16) where field.value.utf8.count <= 2_000 {
      parameters[field.name] = field.value
    }
    return parameters.isEmpty ? nil : provider.readLink(parameters)
  }

  fileprivate func standing(of link: FollowedLink) -> LinkStanding {
    link.standing(waiting: waiting, used: visit.usedLinks ?? [], at: now)
  }

  private var waiting: (attempt: Continuation, expiresAt: Date?)? {
    switch route.flow {
    case .signIn:
      guard case .linkRequired(let prompt)? = visit.signIn?.state else { return nil }
      return (prompt.attempt.id, prompt.expiresAt)
    case .signUp:
      guard case .linkRequired(let prompt)? = visit.signUp else { return nil }
      return (prompt.attempt.id, prompt.expiresAt)
    case .passwordReset: return nil
    }
  }

  fileprivate func landingPage(_ link: FollowedLink, _ standing: LinkStanding) -> LinkLandingPage {
    LinkLandingPage(
      link: link,
      standing: standing,
      flow: route.flow == .signUp ? .signUp : .signIn,
      isWaiting: waiting != nil
    )
  }
}

extension SignInInput {
  /// A link that the auth API has taken already is only asked after.
  fileprivate init?(following link: FollowedLink) {
    guard link.verdict == .unredeemed else { return nil }
    self = .link(link)
  }
}

extension SignUpInput {
  fileprivate init?(following link: FollowedLink) {
    guard link.verdict == .unredeemed else { return nil }
    self = .link(link)
  }
}

extension AuthError {
  fileprivate var isAboutLink: Bool {
    contains { [.linkExpired, .linkUsed, .linkOtherBrowser, .linkFailed].contains($0) }
  }
}

extension Visit {
  private static let usedLinkLimit = 3

  /// Remembers that this attempt's link has done its work.
  fileprivate mutating func spendLink(of attempt: Continuation) {
    usedLinks = Array(([attempt] + (usedLinks ?? [])).prefix(Self.usedLinkLimit))
  }
}
