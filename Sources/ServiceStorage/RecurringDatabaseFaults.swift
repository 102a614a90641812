public import ServiceKit
public import Storage

extension DatabaseError: RecurringFault {
  /// Faults that concern every call alike: of the disk, of the server.
  public var recurrence: String? {
    switch code {
    case .diskFull, .readOnly, .inputOutput, .unavailable, .connectionLost, .outcomeUnknown, .unfollowed, .leaseExpired:
      "database \(code.rawValue)"
    default: nil
    }
  }
}
