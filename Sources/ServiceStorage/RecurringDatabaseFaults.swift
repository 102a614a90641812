public import ServiceKit
public import Storage

extension DatabaseError: RecurringFault {
  /// What concerns every call alike: the disk, the server.
  public var recurrence: String? {
    switch code {
    case .diskFull, .readOnly, .inputOutput, .unavailable, .connectionLost, .leaseExpired: "database \(code.rawValue)"
    default: nil
    }
  }
}
