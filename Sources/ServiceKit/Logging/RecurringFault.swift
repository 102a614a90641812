/// An error that many calls meet at once for one reason, such as a full disk. It is logged once a minute with a count.
public protocol RecurringFault: Error {
  /// The reason; nil for an error that each call has for itself, and that is logged each time.
  var recurrence: String? { get }
}
