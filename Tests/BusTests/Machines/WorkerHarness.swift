import Base
import Bus
import RPC

/// A worker with gateways that do only what a test tells them.
struct WorkerHarness {
  var worker: Worker
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private(set) var credit: [LinkID: UInt64] = [:]
  private var sent: [LinkID: [Envelope]] = [:]
  private var nextCall: UInt64 = 0

  init(
    slots: Int, prefetch: Int = 1, links: [LinkID] = [0],
    methods: [MethodDescriptor] = [
      RouterHarness.change, RouterHarness.get, RouterHarness.upload, RouterHarness.watch, RouterHarness.converse,
    ], configure: (inout WorkerConfiguration) -> Void = { _ in }
  ) {
    var hello = Hello(instance: "worker", epoch: 0, role: .worker)
    hello.services = [Hello.ServiceOffer(name: RouterHarness.service, methods: methods)]
    var configuration = WorkerConfiguration(slots: slots)
    configuration.prefetch = prefetch
    configure(&configuration)
    worker = Worker(configuration: configuration, hello: hello, epoch: 1, at: now)
    for link in links { connect(link) }
  }

  mutating func connect(_ link: LinkID) {
    worker.connected(link, at: now)
    collect()
    var answer = Envelope(.helloAck)
    answer.session = UInt64(link) + 50
    answer.extra = Envelope.Extra(
      helloAck: HelloAck(session: answer.session, gateway: "gateway \(link)", version: 1, pingMilliseconds: 500))
    worker.receive(answer, on: link, at: now)
    collect()
  }

  mutating func receive(_ envelope: Envelope, on link: LinkID = 0, session: UInt64? = nil) {
    var envelope = envelope
    envelope.session = session ?? UInt64(link) + 50
    worker.receive(envelope, on: link, at: now)
    collect()
  }

  /// Dispatches a call and returns its number on the link.
  @discardableResult
  mutating func open(
    _ method: MethodDescriptor = RouterHarness.get, on link: LinkID = 0, remaining: UInt32 = 10_000,
    message: [UInt8]? = [], caller: CallerIdentity? = nil
  ) -> UInt64 {
    nextCall += 1
    var envelope = Envelope(.open, call: nextCall)
    envelope.method = method.path
    envelope.remainingMilliseconds = remaining
    envelope.carriesMessage = message != nil && !method.kind.clientStreams
    envelope.payload = message ?? []
    if let caller { envelope.extra = Envelope.Extra(caller: caller) }
    receive(envelope, on: link)
    return nextCall
  }

  mutating func change(_ body: (inout Worker, MonotonicTime) -> Void) {
    body(&worker, now)
    collect()
  }

  /// Sends the next bytes of a call's requests.
  mutating func send(_ bytes: [UInt8], at offset: UInt64 = 0, to call: UInt64) {
    var chunk = Envelope(.data, call: call)
    chunk.offset = offset
    chunk.payload = bytes
    receive(chunk)
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    worker.advance(to: now)
    collect()
  }

  /// Lets time pass while all gateways answer.
  mutating func live(_ duration: Duration) {
    let end = now + duration
    while now < end {
      pass(min(.milliseconds(250), end - now))
      for link in credit.keys.sorted() { receive(Envelope(.pong), on: link) }
    }
  }

  /// The handlers that were started since the last call.
  mutating func started() -> [UInt64] {
    worker.takeActions().compactMap { action in
      if case .start(let call, _, _) = action { call } else { nil }
    }
  }

  mutating func take(_ kind: Envelope.Kind, on link: LinkID = 0) -> [Envelope] { take([kind], on: link) }

  mutating func take(_ kinds: Set<Envelope.Kind>, on link: LinkID = 0) -> [Envelope] {
    (sent.removeValue(forKey: link) ?? []).filter { kinds.contains($0.kind) }
  }

  private mutating func collect() {
    worker.flush { link, envelope in
      sent[link, default: []].append(envelope)
      credit[link] = max(credit[link] ?? 0, envelope.credit)
    }
  }
}
