internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// `/tasks/choose-organization`: the organization in which the session goes on.
struct ChooseOrganizationTaskHandler: FlowHandler {
  struct Scene: Sendable {
    var session: Session
    /// What there is to choose from; nil where that is not known now.
    var options: OrganizationOptions?
  }

  /// In bytes; whether a shorter name is valid is for the auth API to decide.
  private static let nameLimit = 1_024

  /// Asks for the choices whenever the page is opened, since they may have changed.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    guard let session = context.visit.session,
      let provider = context.provider.chooseOrganizationTask
    else { return .misplaced }
    let options = try await provider.organizations(
      for: session,
      memory: &context.visit.memory
    )
    context.visit.enter(session, pending: .organization(options))
    return .show(Scene(session: session, options: options))
  }

  func scene(_ context: RequestContext) -> Scene? {
    guard case .signedIn(let signedIn) = context.visit.standing,
      case .chooseOrganizationTask(let session) = signedIn.taskState
    else { return nil }
    if case .organization(let options)? = signedIn.pending {
      return Scene(session: session, options: options)
    }
    return Scene(session: session, options: nil)
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    let isCreating = typed.asks(for: "create") || typed.namesOrganization
    return OrganizationPage(
      options: scene.options,
      identifier: scene.session.user.identifier,
      step: isCreating ? .create : .choose,
      chosen: typed[.organization],
      values: typed.values(of: [.organizationName, .organizationSlug]),
      endsAt: scene.session.expiresAt
    )
  }

  /// Handles joining, asking to join, creating and choosing: the fields show which form was sent.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    if scene(context)?.options == nil {
      // The choices were too many to be kept in the browser; a refused form has to come back
      // complete.
      do { _ = try await load(&context) } catch { return .refused(error) }
    }
    let form = context.form
    if let id = form[Field.invitation.name] {
      return await context.advanceTask(with: .organization(.acceptInvitation(id: id)))
    }
    if let id = form[Field.suggestion.name] {
      return await context.advanceTask(with: .organization(.askToJoin(suggestionID: id)))
    }
    if context.typed.namesOrganization { return await create(&context) }
    switch form[Field.organization.name] ?? "" {
    case "":
      // Where there is nothing to choose from, it is the name of a new one that is missing.
      return scene(context)?.options?.isEmpty == true
        ? .missing(.organizationName) : .noneChosen(at: .organization)
    case OrganizationPage.personalAccount:
      return await context.advanceTask(with: .organization(.choose(.personalAccount)))
    case let id:
      return await choose(id, &context)
    }
  }

  /// An organization that the person has left meanwhile is not offered again.
  private func choose(_ id: String, _ context: inout RequestContext) async -> FlowResult<Scene> {
    let result: FlowResult<Scene> = await context.advanceTask(
      with: .organization(.choose(.organization(id: id)))
    )
    if case .refused(let error) = result, error.contains(where: { $0 == .notAMember }),
      let scene = scene(context), var options = scene.options
    {
      options.memberships.removeAll { $0.organization.id == id }
      context.visit.enter(scene.session, pending: .organization(options))
    }
    return result
  }

  private func create(_ context: inout RequestContext) async -> FlowResult<Scene> {
    let name = context.form.trimmed(.organizationName) ?? ""
    let slug = context.form.trimmed(.organizationSlug)
    guard !name.isEmpty else { return .missing(.organizationName) }
    let tooLong = [(Field.organizationName, name), (.organizationSlug, slug ?? "")]
      .filter { $0.1.utf8.count > Self.nameLimit }.map { Problem.tooLong($0.0) }
    if let error = AuthError(tooLong) { return .refused(error) }
    return await context.advanceTask(with: .organization(.create(name: name, slug: slug)))
  }
}

extension TypedValues {
  /// Whether the form that makes a new organization was sent.
  fileprivate var namesOrganization: Bool {
    self[.organizationName] != nil || self[.organizationSlug] != nil
  }
}
