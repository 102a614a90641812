package import ConsentContract
package import RPC
internal import ServicePolicy

/// The error of another service that could not do its part of a copy.
package struct CopyFailure: Error {
  package let status: Status
  package let step: CopyProblem.Step

  package init(_ status: Status, while step: CopyProblem.Step) {
    (self.status, self.step) = (status, step)
  }
}

extension CopyFailure: StatusConvertible {}

extension CopyFailure {
  /// Whether the processes that made the document were lost over it.
  var isLoss: Bool { step == .composing && status.lostInstances > 0 }
}

extension CopyProblem: StatusConvertible {
  package var status: Status { Refusal(.precondition, rule, field: "record_id", explanation).status }
}

/// What keeps a copy from being sealed: what it waits for, or why it cannot be made.
///
/// It is stored in clear, so it repeats nothing of the document, not even a letter that no font has.
package struct CopyProblem: Error, Hashable {
  package let state: SignedCopyState
  package let rule: String
  package let explanation: String

  package var reason: String { "\(rule): \(explanation)" }

  /// The step of making a copy at which the other service failed.
  package enum Step: Sendable {
    case drawing, composing, sealing
  }

  package init(_ state: SignedCopyState, _ rule: String, _ explanation: String) {
    (self.state, self.rule, self.explanation) = (state, rule, explanation)
  }

  static let lossRule = "composer_lost"
  private static let keyRule = "no_seal_key"
  private static let noKey = "no process with a key that seals for the tenant answers"

  /// Processes that make documents ended while they made this one.
  static func lost(isLast: Bool) -> CopyProblem {
    isLast
      ? CopyProblem(
        .failed, lossRule,
        "processes that make documents ended each time over this one; it is made once more when staff asks for it")
      : CopyProblem(.sealing, lossRule, "a process that made the document ended; it is made again apart from others")
  }

  /// Translates the status that another service returned.
  package init(_ status: Status, while step: Step) {
    let rule = status.message.split(separator: ":").first.map(String.init) ?? ""
    switch (status.code, rule) {
    case (_, "subject_erased"): self.init(.failed, rule, "what it was signed with, or the subject's data, were erased")
    case (_, "seal_key_unusable"):
      self.init(.sealing, rule, "the certificate of the seal has expired or is not valid yet")
    case (_, Self.keyRule): self.init(.sealing, rule, Self.noKey)
    case (_, "font_missing"): self.init(.failed, rule, "a font is not installed where documents are made")
    case (_, "unknown_letter"):
      self.init(.failed, rule, "the document has characters that no font has; GetSignedCopy names them")
    case (_, "unknown_picture"), (_, "broken_picture"):
      self.init(.failed, rule, "the document shows a picture that cannot be shown in a file")
    case (_, "too_many_pages"), (_, "document_too_large"), (_, "too_much_to_draw"),
      (_, "takes_too_long"):
      self.init(.failed, rule, "the document is larger than a file may be, or takes longer")
    case (_, "malformed_markup"): self.init(.failed, rule, "the document has markup that cannot be understood")
    case (.dataLoss, _): self.init(.failed, "data_corrupt", "what it was signed with was altered")
    case (.invalidArgument, _), (.notFound, _), (.failedPrecondition, _):
      self.init(.failed, "not_possible", "the document cannot be made a file; GetSignedCopy says why")
    default:
      switch step {
      case .drawing: self.init(.sealing, "no_signatures", "the service that keeps signatures does not answer")
      case .composing: self.init(.sealing, "no_composer", "no process that makes documents answers")
      case .sealing: self.init(.sealing, Self.keyRule, Self.noKey)
      }
    }
  }
}
