internal import Base
internal import Synchronization

/// Owns sockets, waits for all of them at once, and works in turns: read what arrived, let the host's state machine
/// process it, send the results. One thread does that, or a pool of threads that runs tasks as well.
package final class Reactor<Host: ReactorHost & ~Copyable>: Sendable {
  /// Submits work to the host, from any thread.
  package let inbox: ReactorInbox<Host.Work>
  private let pool: ReactorThreadPool
  private let ending: ReactorEnding

  /// Starts with one thread. Errors of `makeHost`, which opens the links, are thrown here.
  ///
  /// - Parameter failed: called when a socket has failed, which ends the reactor: what it had begun has no outcome.
  package static func start(
    name: String, in context: ZeroMQContext, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    makeHost: (Links) throws -> Host
  ) throws -> Reactor {
    let watch = try SocketWatch()
    let links = Links(context: context, watch: watch)
    let handedOver = HandoverQueue<Host.Work>()
    let ending = ReactorEnding()
    let loop = ReactorLoop(host: try makeHost(links), links: links, handedOver: handedOver)
    let host = OpenReactor(loop, handedOver: handedOver, ending: ending, failed: failed)
    let pool = ReactorThreadPool(name: name, watch: watch) { host.turn(with: $0) }
    let reactor = Reactor(inbox: ReactorInbox(handedOver, for: pool), pool: pool, ending: ending)
    pool.grow(to: 1)
    return reactor
  }

  private init(inbox: ReactorInbox<Host.Work>, pool: ReactorThreadPool, ending: ReactorEnding) {
    self.inbox = inbox
    self.pool = pool
    self.ending = ending
  }

  /// Runs tasks on the reactor's own threads. With one thread, use it only for tasks that make calls and wait: one that
  /// blocks or computes delays the reactor's turns.
  package var executor: any TaskExecutor { pool }

  /// Grows to this many threads, of which all but one may run tasks at the same time.
  package func grow(to threads: Int) { pool.grow(to: threads) }

  /// Lets the host finish what was submitted before, closes the links, and returns when that is done. Throws the error
  /// that stopped the reactor, if one did.
  package func stop() async throws {
    inbox.close()
    try await ending.value()
  }
}

/// A reactor's host and links for as long as they are open.
///
/// Unchecked because the schedule lets only one thread at a time take a turn, and passes the turn on under a lock.
private final class OpenReactor<Host: ReactorHost & ~Copyable>: @unchecked Sendable {
  private var loop: ReactorLoop<Host>?
  private let handedOver: HandoverQueue<Host.Work>
  private let ending: ReactorEnding
  private let failed: @Sendable (any Error) -> Void

  init(
    _ loop: consuming ReactorLoop<Host>, handedOver: HandoverQueue<Host.Work>, ending: ReactorEnding,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.loop = consume loop
    self.handedOver = handedOver
    self.ending = ending
    self.failed = failed
  }

  func turn(with events: [UInt64]) -> ReactorTurnEnd? {
    do throws(ZeroMQError) {
      if let end = try loop?.turn(with: events) ?? nil { return end }
      close(with: .success(()))
    } catch {
      // No turn follows, so no more work is accepted.
      handedOver.close()
      close(with: .failure(error))
      failed(error)
    }
    return nil
  }

  /// Releases host and links, and with them the sockets, before anybody is notified of the end.
  private func close(with result: Result<Void, any Error>) {
    loop = nil
    ending.set(result)
  }
}
