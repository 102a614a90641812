internal import Base
internal import Synchronization

/// One thread that owns sockets, waits for all of them at once, and works in turns: take what arrived, let the host's
/// state machine work through it, send what came of it.
package final class Reactor<Host: ReactorHost & ~Copyable>: Sendable {
  /// What hands work to the host, from any thread.
  package let inbox: ReactorInbox<Host.Work>
  private let jobExecutor: ReactorExecutor
  private let ending = Ending()

  /// Starts a thread, on which `makeHost` opens the links; what it throws is thrown here.
  package static func start(
    name: String, in context: ZeroMQContext, makeHost: @escaping @Sendable (Links) throws -> Host
  ) async throws -> Reactor {
    let reactor = Reactor(inbox: try ReactorInbox())
    try await withCheckedThrowingContinuation { (started: CheckedContinuation<Void, any Error>) in
      NativeThread.start(name: name, stackBytes: 8 << 20) {
        ReactorThread.markCurrent(for: reactor)
        reactor.ending.set(reactor.work(in: context, makeHost, started))
      }
    }
    return reactor
  }

  /// The thread's whole life. Host and links are gone, and with them the sockets, when it returns.
  private func work(
    in context: ZeroMQContext, _ makeHost: (Links) throws -> Host, _ started: CheckedContinuation<Void, any Error>
  ) -> Result<Void, any Error> {
    do {
      let links = Links(context: context)
      var loop = ReactorLoop(host: try makeHost(links), links: links, inbox: inbox, executor: jobExecutor)
      started.resume()
      defer { for job in inbox.lastJobs() { globalConcurrentExecutor.enqueue(job) } }
      return Result { try loop.run() }
    } catch {
      started.resume(throwing: error)
      return .failure(error)
    }
  }

  private init(inbox: ReactorInbox<Host.Work>) {
    self.inbox = inbox
    jobExecutor = ReactorExecutor(inbox.jobs)
  }

  /// Runs tasks on the reactor's thread.
  package var executor: any TaskExecutor { jobExecutor }

  /// Lets the host finish what was handed over before, closes the links, and returns when the thread is done.
  package func stop() async throws {
    inbox.close()
    try await ending.value()
  }

  /// Returns when the reactor has stopped; throws what stopped it, if nobody asked for it.
  package func finished() async throws {
    try await ending.value()
  }
}

/// How a thread ended, for those who wait for it.
private final class Ending: Sendable {
  private struct State {
    var result: Result<Void, any Error>?
    var waiting: [CheckedContinuation<Void, any Error>] = []
  }

  private let state = Mutex(State())

  func set(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  func value() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
