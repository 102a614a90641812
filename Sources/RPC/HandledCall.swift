package import Base

/// A call that a handler answers, as the transport that carries it knows it.
package protocol HandledCall: AnyObject, Sendable {
  var method: MethodDescriptor { get }
  var identity: CallerIdentity { get }
  var metadata: Metadata { get }
  var deadline: MonotonicTime { get }
  var idempotencyKey: String { get }
  var priority: CallPriority { get }
  var attempt: Int { get }
  /// The gateway that knows that this process has the call in hand.
  var gateway: String { get }
  var clock: Clock { get }

  func setInitialMetadata(_ metadata: Metadata)
  func setTrailingMetadata(_ metadata: Metadata)
  /// Counts the mutations of `method` that the handler calls, from 1.
  func nextNestedNumber(for method: MethodDescriptor) -> Int

  /// A task of the handler begins to wait: the slot is free as long as any of its tasks waits.
  func waits()
  func resumes()
}
