/// What a caller may say about one call. All of it has a sensible default.
public struct CallOptions: Sendable {
  /// How long the call may take from now. Without one, the bus's default holds; inside a handler it is never longer
  /// than what remains to the call being handled.
  public var deadline: Duration?
  public var metadata: Metadata
  public var idempotencyKey: IdempotencyKey
  public var priority: CallPriority?
  /// Wait, within the deadline, for a gateway and an instance, instead of failing at once with UNAVAILABLE.
  public var waitsForReady: Bool

  public init(
    deadline: Duration? = nil, metadata: Metadata = Metadata(), idempotencyKey: IdempotencyKey = .automatic,
    priority: CallPriority? = nil, waitsForReady: Bool = false
  ) {
    self.deadline = deadline
    self.metadata = metadata
    self.idempotencyKey = idempotencyKey
    self.priority = priority
    self.waitsForReady = waitsForReady
  }

  /// Names a mutation so that doing it again does it once.
  public enum IdempotencyKey: Hashable, Sendable {
    /// A fresh key for every method that changes something; inside a handler one derived from the call being handled.
    case automatic
    /// The caller's own key, for a repeat that outlives this process.
    case given(String)
    /// None: the call may have run when its outcome is UNAVAILABLE, and is never tried again.
    case none
  }
}

extension CallOptions {
  /// The same options with another deadline, if there is one.
  @inlinable
  package consuming func with(deadline: Duration?) -> CallOptions {
    if let deadline { self.deadline = deadline }
    return self
  }
}
