import Base
import Bus
import RPC

/// A client with gateways that do only what a test tells them.
struct ClientHarness {
  var client: Client
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private var sent: [(link: LinkID, envelope: Envelope)] = []

  init(links: [LinkID] = [0], seed: UInt64 = 1) {
    client = Client(hello: Hello(instance: "client", epoch: 0, role: .client), epoch: 1, seed: seed, at: now)
    for link in links { connect(link) }
  }

  mutating func connect(_ link: LinkID) {
    client.connected(link, at: now)
    var answer = Envelope(.helloAck)
    answer.session = UInt64(link) + 50
    answer.extra = Envelope.Extra(
      helloAck: HelloAck(session: answer.session, gateway: "gateway \(link)", version: 1, pingMilliseconds: 500))
    client.receive(answer, on: link, at: now)
    collect()
  }

  mutating func open(
    _ call: UInt64, _ method: MethodDescriptor = RouterHarness.get, key: String = "", waitsForReady: Bool = false,
    gateway: String = "", request: [UInt8]? = []
  ) {
    let wish = ClientRequest(
      call, method: method, deadline: now + .seconds(10), idempotencyKey: key, waitsForReady: waitsForReady,
      gateway: gateway, request: request)
    client.open(wish, at: now)
    collect()
  }

  mutating func receive(
    _ kind: Envelope.Kind, call: UInt64 = 0, on link: LinkID = 0, _ change: (inout Envelope) -> Void = { _ in }
  ) {
    var envelope = Envelope(kind, call: call)
    envelope.session = UInt64(link) + 50
    change(&envelope)
    client.receive(envelope, on: link, at: now)
    collect()
  }

  mutating func change(_ body: (inout Client, MonotonicTime) -> Void) {
    body(&client, now)
    collect()
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    client.advance(to: now)
    collect()
  }

  /// How many milliseconds pass until the next call goes out; nil when none does.
  mutating func pauseUntilNextTry() -> Int? {
    for count in 1...5000 {
      pass(.milliseconds(1))
      if count % 400 == 0 { receive(.pong) }
      if sent.contains(where: { $0.envelope.kind == .open }) { return count }
    }
    return nil
  }

  mutating func take(_ kind: Envelope.Kind) -> [(link: LinkID, envelope: Envelope)] {
    defer { sent = [] }
    return sent.filter { $0.envelope.kind == kind }
  }

  mutating func outcomes() -> [StatusCode] { statuses().map(\.code) }

  mutating func statuses() -> [Status] {
    client.takeActions().compactMap { action in
      switch action {
      case .answered: .ok
      case .ended(_, let status, _): status
      default: nil
      }
    }
  }

  private mutating func collect() { client.flush { sent.append(($0, $1)) } }
}
