public import Ink
public import RPC
internal import ServicePolicy
public import Typesetting

// The statuses of calls whose strokes, settings or name cannot be drawn.

extension InkError: StatusConvertible {
  public var status: Status {
    let setting = Self.settings[path]
    let field = setting ?? path
    let message = "\(field) \(finding); \(requirement)"
    switch cause {
    case .invalid:
      return Refusal(.invalid, setting == nil ? "bad_ink" : "out_of_bounds", field: field, message).status
    case .tooMuch: return Refusal(.invalid, "too_much_to_draw", field: field, message).status
    case .stopped: return Status(.deadlineExceeded, rule: "deadline_passed", field: field, message)
    }
  }

  /// The contract's names of the settings that Ink names in its errors.
  private static let settings = [
    "options.penWidth": "settings.pen_width",
    "options.frame.margin": "settings.trim_margin",
    "options.dotsPerInch": "settings.dots_per_inch",
    "options.quality": "settings.quality",
    "options.paper": "settings.paper_color",
    "options.size.scale": "settings.scale",
    "options.size.width": "settings.width",
    "options.size.height": "settings.height",
  ]
}

extension TypesettingError: StatusConvertible {
  public var status: Status { refusal(of: "typed").status }

  /// - Parameter name: the field that holds the name.
  func refusal(of name: String) -> Refusal {
    switch reason {
    case .unknownLetter: Refusal(.invalid, "unknown_letter", field: "\(name).text", "\(name).\(self)")
    case .invisible: Refusal(.invalid, "invisible_name", field: "\(name).text", "\(name).\(self)")
    case .fontMissing: Refusal(.precondition, "font_missing", description)
    }
  }
}
