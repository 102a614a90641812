internal import Base

/// Owns sockets, waits for all of them at once, and works in turns: read what arrived, let the host's state machine
/// process it, send the results. One thread does that, and nothing else.
package final class Reactor<Host: ReactorHost & ~Copyable>: Sendable {
  /// Submits work to the host, from any thread.
  package let inbox: ReactorInbox<Host.Work>
  private let ending: ReactorEnding

  /// Starts the thread. Errors of `makeHost`, which opens the links, are thrown here.
  ///
  /// - Parameter failed: called when a socket has failed, which ends the reactor: what it had begun has no outcome.
  package static func start(
    name: String, in context: ZeroMQContext, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    makeHost: (Links) throws -> Host
  ) throws -> Reactor {
    let watch = try SocketWatch()
    let links = Links(context: context, watch: watch)
    let reactor = Reactor(inbox: ReactorInbox(waking: watch), ending: ReactorEnding())
    let open = OpenReactor(
      ReactorLoop(host: try makeHost(links), links: links, inbox: reactor.inbox, watch: watch))
    NativeThread.start(name: name, stackBytes: 8 << 20) { [inbox = reactor.inbox, ending = reactor.ending] in
      let result = open.run()
      // After a failure too, nobody takes what is submitted.
      inbox.close()
      ending.set(result.mapError { $0 })
      if case .failure(let error) = result { failed(error) }
    }
    return reactor
  }

  private init(inbox: ReactorInbox<Host.Work>, ending: ReactorEnding) {
    self.inbox = inbox
    self.ending = ending
  }

  /// Lets the host finish what was submitted before, closes the links, and returns when that is done. Throws the error
  /// that stopped the reactor, if one did.
  package func stop() async throws {
    inbox.close()
    try await ending.value()
  }
}

/// A reactor's host and links for as long as they are open.
///
/// Unchecked because one thread makes it, and passes it to the reactor's thread, which alone uses it from then on.
private final class OpenReactor<Host: ReactorHost & ~Copyable>: @unchecked Sendable {
  private var loop: ReactorLoop<Host>?

  init(_ loop: consuming ReactorLoop<Host>) {
    self.loop = consume loop
  }

  /// Works to the end, and releases host and links, and with them the sockets.
  func run() -> Result<Void, ZeroMQError> {
    defer { loop = nil }
    do throws(ZeroMQError) {
      try loop?.run()
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
