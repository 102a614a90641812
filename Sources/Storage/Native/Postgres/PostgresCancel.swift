internal import Base
internal import CPostgres
internal import Synchronization

/// Asks a server to stop a statement, on a thread of its own: a server that hangs may not answer this request either,
/// and libpq waits for the answer without a time-out.
///
/// Unchecked because libpq's request is handed over whole and is independent of its connection.
@safe struct PostgresCancel: @unchecked Sendable {
  private let request: OpaquePointer
  private static let running = Atomic(0)
  /// How many requests may be unanswered. Beyond that none is sent: the server also stops a statement when it finds
  /// that its connection was closed.
  private static let most = 8

  static func send(_ request: OpaquePointer) {
    let cancel = unsafe PostgresCancel(request: request)
    guard running.add(1, ordering: .relaxed).newValue <= most else { return cancel.finish() }
    NativeThread.start(name: "postgres-cancel", stackBytes: 1 << 18) {
      var message = [CChar](repeating: 0, count: 256)
      unsafe PQcancel(cancel.request, &message, Int32(message.count))
      cancel.finish()
    }
  }

  private func finish() {
    Self.running.subtract(1, ordering: .relaxed)
    unsafe PQfreeCancel(request)
  }
}
