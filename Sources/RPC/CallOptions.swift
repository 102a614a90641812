/// The options of one call. All have a sensible default.
public struct CallOptions: Sendable {
  /// How long the call may take from now. nil: the bus's default; inside a handler never longer than the rest of the
  /// handled call's deadline.
  public var deadline: Duration?
  public var metadata: Metadata
  public var idempotencyKey: IdempotencyKey
  /// Wait, within the deadline, for a gateway and an instance, instead of failing at once with UNAVAILABLE.
  public var waitsForReady: Bool

  public init(
    deadline: Duration? = nil, metadata: Metadata = Metadata(), idempotencyKey: IdempotencyKey = .automatic,
    waitsForReady: Bool = false
  ) {
    self.deadline = deadline
    self.metadata = metadata
    self.idempotencyKey = idempotencyKey
    self.waitsForReady = waitsForReady
  }

  /// Names a mutation, so that a repeat of it takes effect once.
  public enum IdempotencyKey: Hashable, Sendable {
    /// A fresh key for every method that changes something; inside a handler, a key derived from the handled call.
    case automatic
    /// The caller's own key, for a repeat that outlives this process.
    case given(String)
    /// No key: a call that may have run is tried again only if its method is idempotent or has no side effects.
    case none
  }
}

extension CallOptions {
  /// The same options with another deadline, unless that is nil.
  @inlinable
  public consuming func with(deadline: Duration?) -> CallOptions {
    if let deadline { self.deadline = deadline }
    return self
  }
}
