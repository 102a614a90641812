public import ServiceKit
public import Storage

extension DatabaseError: RecurringFault {
  /// Names a fault of the disk or the database server, which makes every call fail alike; nil for other errors.
  public var recurrence: String? {
    switch code {
    case .diskFull, .readOnly, .inputOutput, .unavailable, .connectionLost, .outcomeUnknown, .unfollowed:
      "database \(code.rawValue)"
    default: nil
    }
  }
}
