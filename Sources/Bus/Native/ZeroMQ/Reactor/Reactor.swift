internal import Base
internal import Synchronization

/// Owns sockets, waits for all of them at once, and works in turns: take what arrived, let the host's state machine work through
/// it, send what came of it. A thread of its own does that, or a crew that runs tasks as well.
package final class Reactor<Host: ReactorHost & ~Copyable>: Sendable {
  /// What hands work to the host, from any thread.
  package let inbox: ReactorInbox<Host.Work>
  private let crew: ReactorCrew
  private let ending: ReactorEnding

  /// Starts with one thread. What `makeHost`, which opens the links, throws is thrown here.
  package static func start(
    name: String, in context: ZeroMQContext, makeHost: (Links) throws -> Host
  ) throws -> Reactor {
    let watch = try SocketWatch()
    let links = Links(context: context, watch: watch)
    let handedOver = HandoverQueue<Host.Work>()
    let ending = ReactorEnding()
    let host = OpenReactor(ReactorLoop(host: try makeHost(links), links: links, handedOver: handedOver), ending: ending)
    let crew = ReactorCrew(name: name, watch: watch, turns: host)
    let reactor = Reactor(inbox: ReactorInbox(handedOver, for: crew), crew: crew, ending: ending)
    crew.grow(to: 1)
    return reactor
  }

  private init(inbox: ReactorInbox<Host.Work>, crew: ReactorCrew, ending: ReactorEnding) {
    self.inbox = inbox
    self.crew = crew
    self.ending = ending
  }

  /// Runs tasks on the reactor's own threads. Of one thread, only those that make calls and wait: one that blocks or computes keeps
  /// it from its turns.
  package var executor: any TaskExecutor { crew }

  /// Has so many threads from now on, of which all but one may be busy with tasks at the same time.
  package func grow(to threads: Int) { crew.grow(to: threads) }

  /// Lets the host finish what was handed over before, closes the links, and returns when that is done. Throws what stopped the reactor,
  /// if that was not this.
  package func stop() async throws {
    inbox.close()
    try await ending.value()
  }
}

/// A reactor's host and links for as long as they are open.
///
/// Unchecked because the rota lets only one thread at a time take the turn, and hands it on under a lock.
private final class OpenReactor<Host: ReactorHost & ~Copyable>: ReactorTurns, @unchecked Sendable {
  private var loop: ReactorLoop<Host>?
  private let ending: ReactorEnding

  init(_ loop: consuming ReactorLoop<Host>, ending: ReactorEnding) {
    self.loop = consume loop
    self.ending = ending
  }

  func turn(with news: [UInt64]) -> ReactorTurnEnd? {
    do throws(ZeroMQError) {
      if let end = try loop?.turn(with: news) ?? nil { return end }
      close(with: .success(()))
    } catch {
      close(with: .failure(error))
    }
    return nil
  }

  /// Host and links go, and with them the sockets, before anybody hears of the end.
  private func close(with result: Result<Void, any Error>) {
    loop = nil
    ending.set(result)
  }
}
