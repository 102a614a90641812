package import Base

/// The transport's side of a call that a handler answers: what `CallContext` reads from, and reports to.
package protocol HandledCall: AnyObject, Sendable {
  var method: MethodDescriptor { get }
  var identity: CallerIdentity { get }
  var metadata: Metadata { get }
  var deadline: MonotonicTime { get }
  var idempotencyKey: String { get }
  var attempt: Int { get }
  /// The gateway that handed the call to this process.
  var gateway: String { get }
  var clock: Clock { get }

  func setInitialMetadata(_ metadata: Metadata)
  func setTrailingMetadata(_ metadata: Metadata)
  /// Counts the mutations of `method` that the handler calls, from 1.
  func nextNestedNumber(for method: MethodDescriptor) -> Int

  /// A task of the handler begins to wait. The call's slot is free for other calls as long as any task of the handler
  /// waits.
  func waits()
  func resumes()
}
