import Bus
import Synchronization

/// Remembers the idempotency keys of the calls that pass it.
final class SeenKeys: ServerInterceptor {
  private let all = Mutex<[String]>([])

  var keys: [String] { all.withLock { $0 } }

  func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws {
    all.withLock { $0.append(context.idempotencyKey) }
    try await next(context)
  }
}
