package import Base
package import RPC

/// The threads for slow work of a process's doors: converting and decompressing large messages.
///
/// Callers take turns, however much work each of them brings, so that nobody has to wait for all the work of one
/// caller.
package final class DoorPool: Sendable {
  private let pool: FairPool

  /// - Parameter threads: how many work at a time.
  package init(threads: Int = 2) {
    pool = FairPool(
      name: "face", limits: FairLimits(threads: threads, mostWaitingPerCaller: 1_024, mostWaiting: 4_096))
  }

  /// The threads on which tasks can run that wait for their turn.
  package var threads: BlockingPool { pool.threads }

  /// Does work when its caller's turn comes. Work whose task is cancelled before that is not done.
  ///
  /// - Parameters:
  ///   - holder: the account or address that takes turns.
  ///   - mustWait: the work belongs to an answer and is never refused, because its call has taken effect already. The
  ///     number of open calls bounds how much of it there is.
  package func run<Value: Sendable>(
    for holder: String, mustWait: Bool = false, _ work: @escaping @Sendable () throws(Status) -> Value
  ) async throws(Status) -> Value {
    // A call that the gateway handles itself occupies a slot, which is free while the work waits.
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
