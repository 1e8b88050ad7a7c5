internal import HTTPExchange
internal import AuthFlow
internal import Foundation
internal import HTTPTypes
internal import Pages

extension Site {
  /// What there is to choose from is asked whenever the page is opened: it may have changed.
  ///
  /// A form that comes back is the one that was sent, so it is made of what was shown before.
  func organizationPage(of session: Session, _ turn: inout Turn) async -> Answer {
    let kept = turn.visit.organizationOptions
    if turn.asksNothing || (turn.request.method == .post && kept != nil) {
      return .page(organizationPage(kept, session, turn))
    }
    do {
      let options = try await turn.provider.organizations(
        for: session,
        memory: &turn.visit.memory
      )
      turn.visit.organizationOptions = options.count <= Self.keptOrganizationLimit ? options : nil
      return .page(organizationPage(options, session, turn))
    } catch {
      if let elsewhere = leaveTask(for: error, &turn) { return elsewhere }
      return .refused(organizationPage(kept, session, turn), error)
    }
  }

  /// More would not fit into the browser's cookies beside the rest.
  private static let keptOrganizationLimit = 20

  private func organizationPage(
    _ options: OrganizationOptions?,
    _ session: Session,
    _ turn: Turn
  ) -> OrganizationPage {
    let isCreating = turn.request.queryParameters["create"] != nil || turn.form.namesOrganization
    var values: [Field: String] = [:]
    for field in [Field.organizationName, .organizationSlug] {
      values[field] = turn.form[field.name]
    }
    return OrganizationPage(
      options: options,
      identifier: session.user.identifier,
      step: isCreating ? .create : .choose,
      chosen: turn.form[Field.organization.name],
      values: values
    )
  }

  /// Joining, asking to join, creating and choosing: the fields tell which form was sent.
  func submitOrganization(_ turn: inout Turn) async -> Answer {
    guard case .organizationRequired? = turn.visit.taskState else { return turn.movedOn() }
    let form = turn.form
    if let id = form["invitation_id"] {
      return await advanceTask(with: .organization(.acceptInvitation(id: id)), &turn)
    }
    if let id = form["suggestion_id"] {
      return await advanceTask(with: .organization(.askToJoin(suggestionID: id)), &turn)
    }
    if form.namesOrganization { return await createOrganization(&turn) }
    switch form[Field.organization.name] ?? "" {
    case "":
      return await refuseNoOrganization(&turn)
    case OrganizationPage.personalAccount:
      return await advanceTask(with: .organization(.choose(.personalAccount)), &turn)
    case let id:
      return await choose(id, &turn)
    }
  }

  /// An organization that the person has left meanwhile is not offered again.
  private func choose(_ id: String, _ turn: inout Turn) async -> Answer {
    guard let state = turn.visit.taskState else { return turn.movedOn() }
    let advance = await turn.sessionTaskFlow.advance(
      state,
      with: .organization(.choose(.organization(id: id))),
      memory: &turn.visit.memory
    )
    if case .refused(let error, _) = advance, error.contains(where: { $0 == .notAMember }) {
      turn.visit.organizationOptions?.memberships.removeAll { $0.organization.id == id }
    }
    return await take(advance, from: state, &turn)
  }

  private func createOrganization(_ turn: inout Turn) async -> Answer {
    func typed(_ field: Field) -> String {
      (turn.form[field.name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let name = typed(.organizationName)
    let slug = typed(.organizationSlug)
    guard !name.isEmpty else { return await refuseMissing(.organizationName, &turn) }
    let tooLong = [(Field.organizationName, name), (.organizationSlug, slug)]
      .filter { $0.1.utf8.count > Self.organizationNameLimit }.map { Problem.tooLong($0.0) }
    guard tooLong.isEmpty else { return await refuse(tooLong, &turn) }
    return await advanceTask(
      with: .organization(.create(name: name, slug: slug.isEmpty ? nil : slug)),
      &turn
    )
  }

  /// In bytes; whether a name that fits is a good one, the auth API decides.
  private static let organizationNameLimit = 1_024

  /// Where there is nothing to choose from, it is the name of a new one that is missing.
  private func refuseNoOrganization(_ turn: inout Turn) async -> Answer {
    guard turn.visit.organizationOptions?.isEmpty != true else {
      return await refuseMissing(.organizationName, &turn)
    }
    return await refuse(
      [Problem(.noneChosen, at: .organization, code: OwnCode.noneChosen)],
      &turn
    )
  }
}

extension Form {
  /// Whether the form that makes a new organization was sent.
  fileprivate var namesOrganization: Bool {
    self["organization_name"] != nil || self["organization_slug"] != nil
  }
}
