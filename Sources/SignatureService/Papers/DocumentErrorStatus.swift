public import Documents
public import RPC
public import Sealing
internal import ServicePolicy

// The statuses for papers that cannot be laid out, and for seals that cannot be made.

extension DocumentError: StatusConvertible {
  public var status: Status {
    switch self {
    case .unknownCharacters: refusal(.invalid, "unknown_letter")
    case .fontMissing: refusal(.precondition, "font_missing")
    case .pictureMissing: refusal(.invalid, "unknown_picture")
    case .pictureBroken: refusal(.invalid, "broken_picture")
    case .drawingTooLarge, .tooMuchToDraw: refusal(.invalid, "too_much_to_draw")
    case .tooNarrow: refusal(.invalid, "too_narrow")
    case .tooManyPages: refusal(.invalid, "too_many_pages")
    case .malformed: refusal(.invalid, "malformed_markup")
    // If the caller's deadline has not passed, `PaperMaker` throws another error instead.
    case .stopped: Status(.deadlineExceeded, rule: "deadline_passed", field: "paper", "paper: \(self)")
    }
  }

  private func refusal(_ kind: Refusal.Kind, _ rule: String) -> Status {
    Refusal(kind, rule, field: "paper", "paper: \(self)").status
  }
}

extension SealingError: StatusConvertible {
  public var status: Status {
    switch self {
    case .key(let finding): Refusal(.precondition, "seal_key_unusable", finding).status
    case .file(let finding): Refusal(.invalid, "bad_file", field: "content", finding).status
    case .noRoom, .refused: Refusal(.invalid, "bad_seal", field: "signature", description).status
    }
  }
}
