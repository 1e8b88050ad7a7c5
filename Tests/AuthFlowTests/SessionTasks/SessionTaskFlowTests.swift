@_spi(Provider) import AuthFlow
import Testing

@Suite("Working through a session's tasks")
struct SessionTaskFlowTests {
  private func advance(
    _ provider: ScriptedProvider,
    _ state: SessionTaskState
  ) async throws -> Advance<SessionTaskState> {
    var memory = ProviderMemory()
    let advance = await SessionTaskFlow(provider: provider).advance(
      state,
      with: .newPassword(try Example.password(), signOutOfOtherSessions: true),
      memory: &memory
    )
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is handed on")
    #expect(provider.isDone)
    return advance
  }

  @Test("the first open task decides")
  func first() {
    let reset = Example.session(tasks: [.resetPassword, .chooseOrganization])
    #expect(SessionTaskState(of: reset) == .newPasswordRequired(reset))
    for task: SessionTask in [.chooseOrganization, .setUpSecondFactor, .unknown("later")] {
      let session = Example.session(tasks: [task, .resetPassword])
      #expect(SessionTaskState(of: session) == .unsupported(session, task))
      #expect(session.status == .pending)
    }
    #expect(SessionTaskState(of: Example.session()) == .complete(Example.session()))
    #expect(Example.session().status == .active)
  }

  @Test("a new password meets its task; what is left comes next")
  func newPassword() async throws {
    let session = Example.session(tasks: [.resetPassword, .chooseOrganization])
    for left in [[], [SessionTask.chooseOrganization]] {
      let after = Example.session(tasks: left)
      let provider = ScriptedProvider(.session(.moved(to: after)))
      let advance = try await advance(provider, .newPasswordRequired(session))
      #expect(advance == .moved(to: SessionTaskState(of: after), notices: [.passwordChanged]))
      #expect(provider.calls == ["change password secret true"])
    }
  }

  @Test("a refused password stays on its page")
  func refused() async throws {
    let session = Example.session(tasks: [.resetPassword])
    let refusal = Example.error(.passwordReused, at: .password)
    let provider = ScriptedProvider(.session(.refused(refusal, at: nil)))
    #expect(
      try await advance(provider, .newPasswordRequired(session))
        == .refused(refusal, at: .newPasswordRequired(session))
    )
  }

  @Test("a password where none is due is misplaced, and nothing is asked")
  func misplaced() async throws {
    let session = Example.session(tasks: [.chooseOrganization])
    for state: SessionTaskState in [
      .unsupported(session, .chooseOrganization), .complete(Example.session()),
    ] {
      #expect(try await advance(ScriptedProvider(), state) == .misplaced)
    }
  }
}
