import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing

/// `clients/vectors/clients.json`: conversations of a client with a gateway.
@Suite struct ClientVectorTests {
  @Test("a client keeps to the conversation", arguments: VectorFile.entries("clients", "conversations"))
  func conversation(vector: Vector) {
    var party = ClientParty()
    party.begin(vector)
    for step in vector["steps"].list { party.perform(step) }
    #expect(party.client.faults(atRest: false) == [])
  }
}

private struct ClientParty {
  private(set) var client: Client
  private var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private var script = Script()
  private var requests: [String: UInt64] = [:]
  private var outcomes: [UInt64: Outcome] = [:]

  private struct Outcome {
    var initialMetadata = Metadata()
    var messages: [[UInt8]] = []
    var status: Status?
  }

  init() {
    client = Client(hello: Hello(instance: "c", epoch: 0, role: .client), epoch: 1, seed: 1, at: now)
  }

  mutating func begin(_ vector: Vector) {
    client.connected(0, at: now)
    collect()
    guard vector["established"].flag else { return }
    script.expect(.object(["type": .text("HELLO"), "hello": .object(["epoch": .text("new")])]), on: 0)
    var ack = Envelope(.helloAck)
    ack.session = 5
    ack.extra = Envelope.Extra(
      helloAck: HelloAck(session: 5, gateway: "a1", version: 1, pingMilliseconds: 500))
    client.receive(ack, on: 0, at: now)
    collect()
  }

  mutating func perform(_ step: JSONValue) {
    for (name, value) in step.members {
      switch name {
      case "sends": script.expect(value, on: 0)
      case "gets": client.receive(script.envelope(value), on: 0, at: now)
      case "passes_ms": pass(value.number ?? 0)
      case "silent": script.expectNone(Envelope.kind(value.text ?? ""), on: 0)
      case "streams": script.expectStream(value, on: 0)
      case "calls": call(value)
      case "sends_message": client.send(number(value["name"]), MessageRun(value["message"].bytes), at: now)
      case "half_closes": client.halfClose(number(value), at: now)
      case "outcome": check(value)
      default: Issue.record("there is no step \(name)")
      }
    }
    collect()
  }

  private func number(_ name: JSONValue) -> UInt64 { requests[name.text ?? ""] ?? 0 }

  private mutating func call(_ wish: JSONValue) {
    let number = UInt64(requests.count + 1)
    requests[wish["name"].text ?? ""] = number
    guard let method = InteropServiceMethods.service.methods.first(where: { $0.name == wish["method"].text }) else {
      preconditionFailure("there is no such method")
    }
    let request = ClientRequest(
      number, method: method, deadline: now + .milliseconds(wish["timeout_ms"].number ?? 10_000),
      idempotencyKey: wish["key"].text ?? "", request: method.kind.clientStreams ? nil : wish["request"].bytes)
    client.open(request, at: now)
  }

  private mutating func pass(_ milliseconds: Int) {
    for _ in 0..<milliseconds / 10 {
      now = now + .milliseconds(10)
      client.advance(to: now)
      collect()
    }
  }

  private mutating func collect() {
    var sent: [Envelope] = []
    client.flush { _, envelope in sent.append(envelope) }
    for envelope in sent { script.note(envelope, on: 0) }
    for action in client.takeActions() {
      switch action {
      case .initialMetadata(let request, let metadata):
        outcomes[request.number, default: .init()].initialMetadata = metadata
      case .messages(let request, let messages):
        outcomes[request.number, default: .init()].messages += messages.map { Array($0) }
      case .accepted: break
      case .answered(let request, let message):
        outcomes[request.number, default: .init()].messages.append(message)
        outcomes[request.number]?.status = .ok
      case .ended(let request, let status, let last):
        if let last { outcomes[request.number, default: .init()].messages.append(last) }
        outcomes[request.number, default: .init()].status = status
      }
    }
  }

  private func check(_ expected: JSONValue) {
    let outcome = outcomes[number(expected["name"])]
    #expect(outcome?.status?.code.name == expected["code"].text)
    if expected["answers"] != .null { #expect(outcome?.messages == expected["answers"].list.map(\.bytes)) }
    for (key, value) in expected["initial_metadata"].members { #expect(outcome?.initialMetadata[key] == value.text) }
    for (key, value) in expected["trailing_metadata"].members {
      #expect(outcome?.status?.metadata[key] == value.text)
    }
  }
}
