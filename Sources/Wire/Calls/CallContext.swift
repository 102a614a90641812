public import Base
internal import Synchronization

/// What a handler knows of the call it answers.
public struct CallContext: Sendable {
  private let call: Call
  /// Set where an interceptor knows better who calls than the door did.
  private var caller: Caller?

  package init(_ start: WorkerStart, clock: Clock, slot: HandlerSlot?) {
    call = Call(start: start, clock: clock, slot: slot)
  }

  public var method: MethodDescriptor { call.start.method }
  public var identity: CallerIdentity { caller?.identity ?? call.start.identity }
  /// Metadata that came with the call.
  public var metadata: Metadata { call.start.metadata }
  /// When the caller stops waiting. Calls made from the handler inherit it.
  public var deadline: MonotonicTime { call.start.deadline }
  /// Names this mutation: store it with the change, and answer a repeat with the first answer. Empty for calls that change nothing.
  public var idempotencyKey: String { call.start.idempotencyKey }
  public var priority: CallPriority { call.start.priority }
  /// 1, or more when an earlier try did not come to an end.
  public var attempt: Int { call.start.attempt }
  public var clock: Clock { call.clock }

  /// What the handler gives up while it waits for somebody else.
  package var slot: HandlerSlot? { call.slot }

  /// The call that the current task answers; nil outside a handler.
  @TaskLocal package static var current: CallContext?

  /// The same call, known to be made by somebody else: for interceptors that verify what the caller presents.
  public func identified(as identity: CallerIdentity) -> CallContext {
    var context = self
    context.caller = Caller(identity)
    return context
  }

  public var remaining: Duration { max(.zero, deadline - clock.monotonic) }

  /// Sends `metadata` ahead of the first message, or with the status when there is none.
  public func setInitialMetadata(_ metadata: Metadata) {
    call.answer.withLock { $0.initial = metadata }
  }

  /// Sends `metadata` with the status.
  public func setTrailingMetadata(_ metadata: Metadata) {
    call.answer.withLock { $0.trailing = metadata }
  }

  package func takeInitialMetadata() -> Metadata {
    call.answer.withLock { fields in
      defer { fields.initial = [:] }
      return fields.initial
    }
  }

  package var trailingMetadata: Metadata { call.answer.withLock(\.trailing) }

  /// A key for the next mutation that this handler causes: the same one each time the handler runs for the same call.
  ///
  /// It counts for each method on its own, so that calls to several methods may go out at the same time: in whatever
  /// order they come, none is taken for another.
  package func nextNestedKey(for method: MethodDescriptor) -> String {
    guard !idempotencyKey.isEmpty else { return "" }
    let number = call.answer.withLock { fields in
      fields.nestedKeys[method.path, default: 0] += 1
      return fields.nestedKeys[method.path, default: 0]
    }
    return "\(idempotencyKey)/\(method.name)/\(number)"
  }

  /// What all copies of a context share.
  private final class Call: Sendable {
    struct Answer {
      var initial: Metadata = [:]
      var trailing: Metadata = [:]
      var nestedKeys: [String: Int] = [:]
    }

    let start: WorkerStart
    let clock: Clock
    let slot: HandlerSlot?
    let answer = Mutex(Answer())

    init(start: WorkerStart, clock: Clock, slot: HandlerSlot?) {
      self.start = start
      self.clock = clock
      self.slot = slot
    }
  }

  private final class Caller: Sendable {
    let identity: CallerIdentity

    init(_ identity: CallerIdentity) {
      self.identity = identity
    }
  }
}
