import Base
import Bus
import RPC
import TestSupport
import Testing

/// `clients/vectors/gateways.json`: conversations of a gateway with its peers.
@Suite struct GatewayVectorTests {
  @Test("a gateway keeps to the conversation", arguments: VectorFile.entries("gateways", "conversations"))
  func conversation(vector: Vector) {
    var party = GatewayParty(limits: vector["limits"], isGreeted: vector["greeted"].flag)
    for step in vector["steps"].list { party.perform(step) }
    #expect(party.harness.router.faults(atRest: false) == [])
  }
}

private struct GatewayParty {
  private(set) var harness: RouterHarness
  private var script = Script()
  /// The peers whose keys were removed.
  private var removed: Set<Peer> = []

  /// The peers by the names that the vectors use.
  private static let peers: [String: Peer] = [
    "worker": RouterHarness.worker, "other-worker": Peer(door: .services, link: 2),
    "service": Peer(door: .services, link: 3), "reader": Peer(door: .services, link: 4),
    "client": RouterHarness.client, "client-again": Peer(door: .clients, link: 101),
  ]
  private static let clientCredentials = PeerCredentials.client(
    CallerIdentity(kind: .person, tenant: "t", subject: "s"), keyNumber: 1)

  private static func credentials(of name: String) -> PeerCredentials {
    switch name {
    case "worker", "other-worker": .service(named: name)
    case "service": .service(named: name, rights: KeyRights(serving: .only([]), vouching: .anybody))
    case "reader": .service(named: name, rights: KeyRights(serving: .only([]), vouching: .nobody))
    default: clientCredentials
    }
  }

  init(limits: JSONValue, isGreeted: Bool) {
    harness = RouterHarness(Self.configuration(limits))
    for (name, peer) in Self.peers { harness.verify(peer, as: Self.credentials(of: name)) }
    guard isGreeted else { return }
    harness.greetAsWorker(slots: 2)
    harness.greetAsClient(credentials: Self.clientCredentials)
    for peer in Self.peers.values { _ = harness.take(for: peer) }
  }

  private static func configuration(_ limits: JSONValue) -> RouterConfiguration {
    var configuration = RouterConfiguration()
    for (name, limit) in limits.members {
      switch name {
      case "sessions": configuration.sessionLimit = limit.number ?? 0
      case "open_calls": configuration.openCallLimit = limit.number ?? 0
      case "unannounced_services": configuration.unannouncedServiceLimit = limit.number ?? 0
      case "waiting_bytes": configuration.waitingByteLimit = limit.number ?? 0
      case "waiting_calls_of_service": configuration.waitingLimitPerService = limit.number ?? 0
      default: Issue.record("there is no limit \(name)")
      }
    }
    return configuration
  }

  mutating func perform(_ step: JSONValue) {
    if let name = step["from"].text {
      for _ in 0..<(step["times"].number ?? 1) { send(script.envelope(step["envelope"]), from: peer(name)) }
    } else if let name = step["to"].text {
      script.expect(step["envelope"], on: number(name))
    } else if let name = step["nothing_to"].text {
      script.expectNothing(on: number(name))
    } else if let milliseconds = step["passes_ms"].number {
      let silent = step["without"].text.map { Set([peer($0)]) } ?? []
      harness.pass(.milliseconds(milliseconds), silent: silent)
    } else if step["stops"].flag {
      harness.change { $0.drain(at: $1) }
    } else if let name = step["loses"].text {
      harness.change { $0.lose(Self.peers[name] ?? RouterHarness.worker, because: .unreachable, at: $1) }
    } else if let name = step["revokes"].text {
      let key = Self.credentials(of: name)
      removed.formUnion(Self.peers.filter { Self.credentials(of: $0.key) == key }.values)
      harness.change { $0.revoke(where: { $0 == key }, at: $1) }
    } else if let name = step["stops_reading"].text {
      harness.change { [peer = peer(name)] router, _ in router.hold(peer) }
    } else if let name = step["reads"].text {
      harness.change { [peer = peer(name)] in $0.release(peer, at: $1) }
    } else if let name = step["overflows"].text {
      overflow(peer(name), with: step["call_id"])
    } else {
      Issue.record("there is no such step")
    }
    for (name, peer) in Self.peers {
      for envelope in harness.take(for: peer) { script.note(envelope, on: number(name)) }
    }
  }

  /// What a gateway's host does with envelopes: those of a removed key reach its router no more.
  private mutating func send(_ envelope: Envelope, from peer: Peer) {
    if !removed.contains(peer) { return harness.send(envelope, from: peer) }
    if envelope.kind == .hello { harness.change { router, _ in router.turnAway(peer) } }
  }

  /// There is no room left for what a call's stream has to send to a peer that does not read or, without a call, for
  /// anything.
  private mutating func overflow(_ peer: Peer, with call: JSONValue) {
    guard call != .null else { return harness.change { $0.lose(peer, because: .doesNotRead, at: $1) } }
    let chunk = script.envelope(.object(["type": .text("DATA"), "call_id": call]))
    harness.change { $0.endUnread(chunk.call, to: peer, at: $1) }
  }

  private func peer(_ name: String) -> Peer { Self.peers[name] ?? RouterHarness.client }

  private func number(_ name: String) -> Int { Int(peer(name).link) }
}
