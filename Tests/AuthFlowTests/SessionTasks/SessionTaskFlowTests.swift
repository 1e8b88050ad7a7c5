@_spi(Provider) import AuthFlow
import Foundation
import Testing
import TestSupport

/// The three tasks, one suite each, and what they share.
enum TaskExample {
  static let session = Example.session(tasks: [.chooseOrganization, .setUpSecondFactor])
  static let mfa = Example.session(tasks: [.setUpSecondFactor])
  static let done = Example.session()

  static func authenticator() throws -> SecondFactorSetup {
    let secret = AuthenticatorSecret(
      base32: "JBSWY3DPEHPK3PXP",
      address: "otpauth://totp/Demo:tess?secret=JBSWY3DPEHPK3PXP"
    )
    return .authenticatorRequired(AuthenticatorPrompt(secret: try #require(secret)))
  }

  static func phone() -> SecondFactorSetup {
    .codeRequired(
      PhonePrompt(
        phoneNumber: "+12015550199",
        reference: "idn_9",
        expiresAt: Example.now.addingTimeInterval(600),
        resendAvailableAt: Example.now.addingTimeInterval(30)
      )
    )
  }

  static func codes() throws -> SecondFactorSetup {
    .backupCodesOffered(try #require(BackupCodes(["aaaa-bbbb"])))
  }

  static func setups() throws -> [SecondFactorSetup] {
    [.methodRequired, try authenticator(), .phoneNumberRequired, phone(), try codes()]
  }

  static func advance(
    _ provider: ScriptedProvider,
    _ state: SessionTaskState,
    _ input: SessionTaskInput
  ) async -> Advance<SessionTaskState> {
    var memory = ProviderMemory()
    let flow = SessionTaskFlow(provider: provider, clock: MovableClock().wallClock)
    let advance = await flow.advance(state, with: input, memory: &memory)
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is passed on")
    #expect(provider.isDone)
    return advance
  }
}

@Suite("Working through a session's tasks")
struct SessionTaskFlowTests {
  private func newPassword() throws -> SessionTaskInput {
    .newPassword(try Example.password(), signOutOfOtherSessions: true)
  }

  @Test("the first open task decides the state")
  func first() {
    let reset = Example.session(tasks: [.resetPassword, .chooseOrganization])
    #expect(SessionTaskState(of: reset) == .resetPasswordTask(reset))
    let choose = TaskExample.session
    #expect(SessionTaskState(of: choose) == .chooseOrganizationTask(choose))
    let mfa = Example.session(tasks: [.setUpSecondFactor, .resetPassword])
    #expect(SessionTaskState(of: mfa) == .setUpSecondFactorTask(mfa, .methodRequired))
    let later = Example.session(tasks: [.unknown("later"), .resetPassword])
    #expect(SessionTaskState(of: later) == .unsupported(later, .unknown("later")))
    for session in [reset, choose, mfa, later] { #expect(session.status == .pending) }
    #expect(SessionTaskState(of: TaskExample.done) == .complete(TaskExample.done))
    #expect(TaskExample.done.status == .active)
  }

  @Test("the progress of a second factor counts only while that task is due")
  func setupOutOfTurn() {
    let choose = TaskExample.session
    #expect(
      SessionTaskState(of: choose, setup: .phoneNumberRequired) == .chooseOrganizationTask(choose)
    )
    #expect(
      SessionTaskState(of: TaskExample.mfa, setup: .phoneNumberRequired)
        == .setUpSecondFactorTask(TaskExample.mfa, .phoneNumberRequired)
    )
  }

  @Test("a new password meets its task, and what is left comes next")
  func newPasswordMeets() async throws {
    let session = Example.session(tasks: [.resetPassword, .chooseOrganization])
    for left in [[], [SessionTask.chooseOrganization]] {
      let after = Example.session(tasks: left)
      let provider = ScriptedProvider(.session(.moved(to: after)))
      let advance = await TaskExample.advance(
        provider,
        .resetPasswordTask(session),
        try newPassword()
      )
      #expect(advance == .moved(to: SessionTaskState(of: after), notices: [.passwordChanged]))
      #expect(provider.calls == ["change password secret true"])
    }
  }

  @Test("a refused password stays on its page")
  func refused() async throws {
    let session = Example.session(tasks: [.resetPassword])
    let refusal = Example.error(.passwordReused, at: .password)
    let provider = ScriptedProvider(.session(.refused(refusal, at: nil)))
    let advance = await TaskExample.advance(
      provider,
      .resetPasswordTask(session),
      try newPassword()
    )
    #expect(advance == .refused(refusal, at: .resetPasswordTask(session)))
  }

  @Test("an input of another task is misplaced, and no call is made")
  func misplaced() async throws {
    let session = TaskExample.session
    let inputs: [SessionTaskInput] = [
      try newPassword(), .organization(.choose(.personalAccount)), .secondFactor(.otherMethod),
    ]
    let states: [SessionTaskState] = [
      .resetPasswordTask(session), .chooseOrganizationTask(session),
      .setUpSecondFactorTask(session, .methodRequired),
    ]
    for (place, state) in states.enumerated() {
      for (other, input) in inputs.enumerated() where other != place {
        let advance = await TaskExample.advance(ScriptedProvider(), state, input)
        #expect(advance == .misplaced)
      }
    }
    for state: SessionTaskState in [
      .unsupported(session, .unknown("later")), .complete(TaskExample.done),
    ] {
      for input in inputs {
        let advance = await TaskExample.advance(ScriptedProvider(), state, input)
        #expect(advance == .misplaced)
      }
    }
  }
}
