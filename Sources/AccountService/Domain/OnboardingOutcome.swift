package import ConsentContract

/// What the end of a consent flow means for an onboarding: a person is listed only after giving consent.
///
/// | session | onboarding |
/// |---|---|
/// | not ended | waits |
/// | completed | may be finished |
/// | declined, denied, quit, anything else | ends, nobody is listed |
package enum OnboardingOutcome: Hashable, Sendable {
  case waits, mayFinish, ends

  package init(_ outcome: SessionOutcome) {
    self =
      switch outcome {
      case .unspecified: .waits
      case .completed: .mayFinish
      default: .ends
      }
  }
}
