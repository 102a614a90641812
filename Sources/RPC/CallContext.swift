public import Base

/// What a handler knows of the call it answers.
public struct CallContext: Sendable {
  private let call: any HandledCall

  package init(_ call: any HandledCall) {
    self.call = call
  }

  public var method: MethodDescriptor { call.method }
  public var identity: CallerIdentity { call.identity }
  /// Metadata that came with the call.
  public var metadata: Metadata { call.metadata }
  /// When the caller stops waiting. Calls made by the handler inherit it.
  public var deadline: MonotonicTime { call.deadline }
  /// Names this mutation: store it with the change, and answer a repeat with the first answer. Empty if the call
  /// changes nothing, or if its caller wanted no key.
  public var idempotencyKey: String { call.idempotencyKey }
  /// 1 in the first try of a call, and one more in each further one, whether its caller or a gateway tries it again.
  public var attempt: Int { call.attempt }
  public var clock: Clock { call.clock }

  /// The gateway that handed the call to this process. Nested calls in its caller's name may have to go through it,
  /// since no other gateway knows that this process has the call.
  package var gateway: String { call.gateway }

  /// The call whose slot the handler gives up while it waits.
  package var slot: any HandledCall { call }

  /// The call that the current task answers; nil outside a handler.
  @TaskLocal package static var current: CallContext?

  public var remaining: Duration { max(.zero, deadline - clock.monotonic) }

  /// Sends `metadata` before the first message, or with the status if there is no message.
  public func setInitialMetadata(_ metadata: Metadata) { call.setInitialMetadata(metadata) }

  /// Sends `metadata` with the status.
  public func setTrailingMetadata(_ metadata: Metadata) { call.setTrailingMetadata(metadata) }

  /// A key for the next mutation that this handler calls: the same one each time the handler runs for the same call.
  ///
  /// Keys count for each method separately, so that calls to several methods may run at the same time: whatever their
  /// order, each gets its own key. Where the result would exceed `longestKey`, the digest of the call's key takes that
  /// key's place. Services store answers under these keys, so their form must not change between versions.
  package func nextNestedKey(for method: MethodDescriptor) -> String {
    let key = idempotencyKey
    guard !key.isEmpty else { return "" }
    let end = "/\(method.name)/\(call.nextNestedNumber(for: method))"
    let isTooLong = key.utf8.count + end.utf8.count > Self.longestKey
    return (isTooLong ? Digest(of: Array(key.utf8)).hex : key) + end
  }

  /// How many bytes an idempotency key may have.
  package static let longestKey = 256
}

extension FairPool.Waiting {
  /// While a call waits for its turn, its slot is free for other calls.
  ///
  /// - Parameter call: nil outside a handler.
  package init(freeingSlotOf call: CallContext?) {
    guard let slot = call?.slot else {
      self.init()
      return
    }
    self.init(began: { slot.waits() }, ended: { slot.resumes() })
  }
}
