public import Bus
public import Documents
public import Sealing
internal import ServicePolicy

// The statuses for papers that cannot be laid out, and for seals that cannot be made.

extension DocumentError: StatusConvertible {
  public var status: Status {
    let (kind, rule): (Refusal.Kind, String) =
      switch self {
      case .unknownCharacters: (.invalid, "unknown_letter")
      case .fontMissing: (.precondition, "font_missing")
      case .pictureMissing: (.invalid, "unknown_picture")
      case .pictureBroken: (.invalid, "broken_picture")
      case .tooNarrow: (.invalid, "too_narrow")
      case .tooManyPages: (.exhausted, "too_many_pages")
      case .malformed: (.invalid, "malformed_markup")
      }
    return Refusal(kind, rule, field: "paper", "paper: \(self)").status
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
