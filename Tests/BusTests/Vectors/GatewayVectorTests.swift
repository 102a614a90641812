import Base
import Bus
import RPC
import TestSupport
import Testing

/// `clients/vectors/gateways.json`: conversations of a gateway with its peers.
@Suite struct GatewayVectorTests {
  @Test("a gateway keeps to the conversation", arguments: VectorFile.entries("gateways", "conversations"))
  func conversation(vector: Vector) {
    var party = GatewayParty(isGreeted: vector["greeted"].flag)
    for step in vector["steps"].list { party.perform(step) }
    #expect(party.harness.router.faults(atRest: false) == [])
  }
}

private struct GatewayParty {
  private(set) var harness = RouterHarness()
  private var script = Script()

  /// The peers by the names that the vectors use.
  private static let peers: [String: Peer] = [
    "worker": RouterHarness.worker, "other-worker": Peer(door: .services, link: 2),
    "client": RouterHarness.client, "client-again": Peer(door: .clients, link: 101),
  ]
  private static let clientCredentials = PeerCredentials.client(
    CallerIdentity(kind: .person, tenant: "t", subject: "s"))

  init(isGreeted: Bool) {
    for (name, peer) in Self.peers {
      harness.verify(peer, as: name.hasSuffix("worker") ? .service(named: "worker") : Self.clientCredentials)
    }
    guard isGreeted else { return }
    harness.greetAsWorker(slots: 2)
    harness.greetAsClient()
    for peer in Self.peers.values { _ = harness.take(for: peer) }
  }

  mutating func perform(_ step: JSONValue) {
    if let name = step["from"].text {
      for _ in 0..<(step["times"].number ?? 1) { harness.send(script.envelope(step["envelope"]), from: peer(name)) }
    } else if let name = step["to"].text {
      script.expect(step["envelope"], on: number(name))
    } else if let name = step["nothing_to"].text {
      script.expectNothing(on: number(name))
    } else if let milliseconds = step["passes_ms"].number {
      harness.pass(.milliseconds(milliseconds))
    } else if let name = step["loses"].text {
      harness.change { $0.lose(Self.peers[name] ?? RouterHarness.worker, because: .unreachable, at: $1) }
    } else if step["revokes"].text != nil {
      harness.change { $0.revoke(where: { $0 == Self.clientCredentials }, at: $1) }
    } else {
      Issue.record("there is no such step")
    }
    for (name, peer) in Self.peers {
      for envelope in harness.take(for: peer) { script.note(envelope, on: number(name)) }
    }
  }

  private func peer(_ name: String) -> Peer { Self.peers[name] ?? RouterHarness.client }

  private func number(_ name: String) -> Int { Int(peer(name).link) }
}
