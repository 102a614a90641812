/// The keys of the metadata that AccountService adds to a call that a device had queued while it was offline.
public enum QueuedCall {
  /// The number of the newest event in ConsentService's log, about the caller's own withdrawal, denial or changed
  /// sharing choice, that the caller had seen when the device queued the call; 0 for none. It only makes a service
  /// stricter, so any caller may set it.
  public static let seenWithdrawal = "assent-seen-withdrawal"
  /// The position in ConsentService's log up to which AccountService has read it. If the log no longer has this
  /// position, it was restored from a backup since, and the number above may stand for another event.
  public static let knownPosition = "assent-known-position"
}
