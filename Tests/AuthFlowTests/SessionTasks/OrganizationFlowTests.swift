@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Choosing an organization (P-org)")
struct OrganizationFlowTests {
  private let session = TaskExample.session

  private func advance(
    _ provider: ScriptedProvider,
    _ input: OrganizationInput
  ) async -> Advance<SessionTaskState> {
    await TaskExample.advance(provider, .chooseOrganizationTask(session), .organization(input))
  }

  @Test(
    "choosing or creating one meets the task, and the next task follows",
    arguments: [
      (OrganizationInput.choose(.organization(id: "org_1")), "choose org_1"),
      (.choose(.personalAccount), "choose personal"),
      (.create(name: "Acme", slug: "acme"), "create Acme acme"),
      (.create(name: "Acme", slug: nil), "create Acme -"),
    ]
  )
  func met(_ input: OrganizationInput, call: String) async {
    for after in [TaskExample.mfa, TaskExample.done] {
      let provider = ScriptedProvider(.session(.moved(to: after)))
      let advance = await advance(provider, input)
      #expect(advance == .moved(to: SessionTaskState(of: after), notices: []))
      #expect(provider.calls == [call])
    }
  }

  @Test(
    "after joining or asking to join, the choice is still to be made",
    arguments: [
      (OrganizationInput.acceptInvitation(id: "inv_1"), "accept inv_1"),
      (.askToJoin(suggestionID: "sug_1"), "ask sug_1"),
    ]
  )
  func joined(_ input: OrganizationInput, call: String) async {
    let provider = ScriptedProvider(.done)
    let moved = await advance(provider, input)
    #expect(moved == .moved(to: .chooseOrganizationTask(session), notices: []))
    #expect(provider.calls == [call])
    let refusal = Example.error(.unrecognised)
    let refused = await advance(ScriptedProvider(.thrown(refusal)), input)
    #expect(refused == .refused(refusal, at: .chooseOrganizationTask(session)))
  }

  @Test("a refusal stays on the page")
  func refused() async {
    let refusal = Example.error(.organizationSlugTaken, at: .organizationSlug)
    let advance = await advance(
      ScriptedProvider(.session(.refused(refusal, at: nil))),
      .create(name: "Acme", slug: "acme")
    )
    #expect(advance == .refused(refusal, at: .chooseOrganizationTask(session)))
  }
}
