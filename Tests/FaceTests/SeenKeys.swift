import RPC
import Synchronization

/// Remembers the idempotency keys and the metadata of the calls that pass it.
final class SeenKeys: ServerInterceptor {
  private let all = Mutex<[(key: String, metadata: Metadata)]>([])

  var keys: [String] { all.withLock { calls in calls.map { $0.key } } }
  var metadata: [Metadata] { all.withLock { calls in calls.map { $0.metadata } } }

  func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws {
    all.withLock { $0.append((key: context.idempotencyKey, metadata: context.metadata)) }
    try await next(context)
  }
}
