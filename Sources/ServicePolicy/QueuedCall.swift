/// What AccountService says of a call that a device had queued without a connection, in the call's metadata.
public enum QueuedCall {
  /// The number of the newest event of ConsentService, of a withdrawal, a denial or another sharing choice of the
  /// caller's own, that the caller had seen when the call was recorded; 0: none. It only makes a service stricter, so
  /// it need not be kept from anybody.
  public static let seenWithdrawal = "assent-seen-withdrawal"
  /// The position in ConsentService's log up to which AccountService knows its events. A log that does not have it was
  /// restored since, so that the number above stands for another event.
  public static let knownPosition = "assent-known-position"
}
