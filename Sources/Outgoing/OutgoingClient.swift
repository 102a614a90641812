internal import Base
internal import Synchronization

/// Sends requests to servers of others: the one way out of an installation.
///
/// Requests wait for the network on threads of their own. Nothing is remembered between them: no cookies, no
/// connections, no names.
public final class OutgoingClient: Sendable {
  private let policy: OutgoingPolicy
  private let pool: BlockingPool

  /// - Parameter width: how many requests run at a time; others wait.
  public init(_ policy: OutgoingPolicy, width: Int = 2) {
    self.policy = policy
    pool = BlockingPool(name: "outgoing", threads: width)
  }

  /// Sends a request and returns its answer. Cancelling the task ends the request.
  ///
  /// - Parameter receiving: called with the bytes of a body of status 200 as they come, by the thread that receives
  ///   them; they are not part of the answer then.
  public func send(
    _ request: OutgoingRequest, receiving: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws(OutgoingError) -> OutgoingAnswer {
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await pool.run { [policy] in
        Result { () throws(OutgoingError) in try Transfer.perform(request, under: policy, flag, receiving) }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }
}

/// Set when the task of a request is cancelled; read by the thread that makes the request.
final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  func set() { state.store(true, ordering: .relaxed) }
  var isSet: Bool { state.load(ordering: .relaxed) }
}
