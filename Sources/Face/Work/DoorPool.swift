package import Base
package import RPC

/// Threads for what takes long at the doors of a process: converting and expanding large messages.
///
/// Callers take turns, however much each of them brings, so that the worst case of one is nobody else's wait.
package final class DoorPool: Sendable {
  private let pool: FairPool

  /// - Parameter threads: how many work at a time.
  package init(threads: Int = 2) {
    pool = FairPool(
      name: "face", limits: FairLimits(threads: threads, mostWaitingPerCaller: 1_024, mostWaiting: 4_096))
  }

  /// Where tasks may live that wait for their turns.
  package var threads: BlockingPool { pool.threads }

  /// Does work in its caller's turn. It is not done if its task is cancelled before that.
  ///
  /// - Parameters:
  ///   - holder: the account or the address that takes turns.
  ///   - mustWait: the work is an answer's, and never refused: its call has taken effect. Open calls are bounded.
  package func run<Value: Sendable>(
    for holder: String, mustWait: Bool = false, _ work: @escaping @Sendable () throws(Status) -> Value
  ) async throws(Status) -> Value {
    // The gateway's own calls have slots.
    let waiting = FairPool.Waiting(freeingSlotOf: CallContext.current)
    do {
      return try await pool.run(
        for: holder, mustWait: mustWait, waiting: waiting, light: { try work() }, full: { try work() })
    } catch let status as Status {
      throw status
    } catch let refusal as FairRefusal {
      throw Self.status(refusal)
    } catch {
      throw Status(.cancelled, rule: "given_up", "nobody waits for the call any more")
    }
  }

  private static func status(_ refusal: FairRefusal) -> Status {
    let what =
      switch refusal {
      case .callerWaits(let bound): "\(bound) messages of this caller"
      case .allWait(let bound): "\(bound) messages"
      }
    return Status(
      .resourceExhausted, rule: "too_much_to_convert", "\(what) wait to be converted already, as many as may",
      metadata: ["retry-after-ms": "1000"])
  }
}
