public import Base
internal import Synchronization

/// What a handler knows of the call it answers.
public struct CallContext: Sendable {
  public let method: MethodDescriptor
  public private(set) var identity: CallerIdentity
  /// Metadata that came with the call.
  public let metadata: Metadata
  /// When the caller stops waiting. Calls made from the handler inherit it.
  public let deadline: MonotonicTime
  /// Names this mutation: store it with the change, and answer a repeat with the first answer. Empty for calls that change nothing.
  public let idempotencyKey: String
  public let priority: CallPriority
  /// 1, or more when an earlier try did not come to an end.
  public let attempt: Int
  public let clock: Clock

  /// What the handler gives up while it waits for somebody else.
  package let slot: HandlerSlot?

  private let answer: AnswerMetadata

  package init(
    method: MethodDescriptor, identity: CallerIdentity, metadata: Metadata, deadline: MonotonicTime,
    idempotencyKey: String, priority: CallPriority, attempt: Int, clock: Clock, slot: HandlerSlot?
  ) {
    self.method = method
    self.identity = identity
    self.metadata = metadata
    self.deadline = deadline
    self.idempotencyKey = idempotencyKey
    self.priority = priority
    self.attempt = attempt
    self.clock = clock
    self.slot = slot
    answer = AnswerMetadata()
  }

  /// The call that the current task answers; nil outside a handler.
  @TaskLocal package static var current: CallContext?

  /// The same call, known to be made by somebody else: for interceptors that verify what the caller presents.
  public func identified(as identity: CallerIdentity) -> CallContext {
    var context = self
    context.identity = identity
    return context
  }

  public var remaining: Duration { max(.zero, deadline - clock.monotonic) }

  /// Sends `metadata` ahead of the first message, or with the status when there is none.
  public func setInitialMetadata(_ metadata: Metadata) {
    answer.fields.withLock { $0.initial = metadata }
  }

  /// Sends `metadata` with the status.
  public func setTrailingMetadata(_ metadata: Metadata) {
    answer.fields.withLock { $0.trailing = metadata }
  }

  package func takeInitialMetadata() -> Metadata {
    answer.fields.withLock { fields in
      defer { fields.initial = [:] }
      return fields.initial
    }
  }

  package var trailingMetadata: Metadata { answer.fields.withLock(\.trailing) }

  /// A key for the next mutation that this handler causes: the same one each time the handler runs for the same call.
  ///
  /// It counts for each method on its own, so that calls to several methods may go out at the same time: in whatever
  /// order they come, none is taken for another.
  package func nextNestedKey(for method: MethodDescriptor) -> String {
    guard !idempotencyKey.isEmpty else { return "" }
    let number = answer.fields.withLock { fields in
      fields.nestedKeys[method.path, default: 0] += 1
      return fields.nestedKeys[method.path, default: 0]
    }
    return "\(idempotencyKey)/\(method.name)/\(number)"
  }

  private final class AnswerMetadata: Sendable {
    struct Fields {
      var initial: Metadata = [:]
      var trailing: Metadata = [:]
      var nestedKeys: [String: Int] = [:]
    }

    let fields = Mutex(Fields())
  }
}
