public import AuthFlow

/// `/sign-in/methods` and `/sign-in/second-factor/methods`: asks which factor to use.
///
/// Each factor is a form of its own with one button, so that one press chooses it.
///
/// Rules: P-factor.
public struct FactorChoicePage: Page {
  private let prompt: FactorPrompt
  private let back: Address?
  private let lastUsed: Factor.Kind?
  public let flow: FlowName?

  /// Offers the prompt's factors.
  ///
  /// - Parameters:
  ///   - prompt: The factors, and why the choice is due.
  ///   - flow: The flow that the choice belongs to.
  ///   - back: The step to return to; nil where there is none.
  ///   - lastUsed: The kind of factor last used to sign in in this browser.
  public init(
    prompt: FactorPrompt,
    flow: FlowName,
    back: Address?,
    lastUsed: Factor.Kind? = nil
  ) {
    self.lastUsed = lastUsed
    self.prompt = prompt
    self.flow = flow
    self.back = back
  }

  public var address: Address? { prompt.stage.methodsAddress }
  public var step: String { "method" }
  public var fields: [Field] { [] }
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      identity: prompt.attempt.identifier.text,
      forms: choices + [.restart(.signIn)],
      links: back.map { [.back(to: $0)] } ?? [],
      facts: lastUsedChoice.map { [.init("last_used", .string($0))] } ?? [],
      endsAt: prompt.attempt.endsAt,
      concerns: prompt.concern.map { [.error($0)] } ?? [],
      setting: Setting(identifier: prompt.attempt.identifier.text, offersOtherMethods: true)
    )
  }

  private var heading: Phrase {
    switch prompt.stage {
    case .firstFactor, .passwordReset: .page(.methodsHeading)
    case .secondFactor, .deviceTrust, .enrolment: .page(.methodsHeadingConfirm)
    }
  }

  private var choices: [Form] {
    prompt.factors.named.map { named in
      Form(
        named.name,
        action: prompt.stage.methodsAddress,
        fields: [.hidden(.factor, value: named.name)],
        button: Words.choice(of: named.factor),
        weight: .choice,
        face: Form.Face(
          Icon(for: named.factor.kind),
          detail: named.factor.destination,
          isLastUsed: named.name == lastUsedChoice
        )
      )
    }
  }

  /// The first choice of the kind that was used last.
  private var lastUsedChoice: String? {
    prompt.factors.named.first { $0.factor.kind == lastUsed }?.name
  }
}

extension FactorStage {
  /// Where the factors of this stage are chosen.
  public var methodsAddress: Address {
    switch self {
    case .firstFactor, .passwordReset: .methods
    case .secondFactor, .deviceTrust: .secondFactorMethods
    case .enrolment: .enrolment
    }
  }

  /// Where a code of this stage is entered.
  public var codeAddress: Address {
    switch self {
    case .firstFactor: .code
    case .secondFactor: .secondFactor
    case .deviceTrust: .device
    case .enrolment: .enrolment
    case .passwordReset: .resetCode
    }
  }

  /// Where another code of this stage is asked for.
  var resendAddress: Address {
    switch self {
    case .firstFactor: .resendCode
    case .secondFactor: .resendSecondFactor
    case .deviceTrust: .resendDevice
    case .enrolment: .resendEnrolment
    case .passwordReset: .resendResetCode
    }
  }
}
