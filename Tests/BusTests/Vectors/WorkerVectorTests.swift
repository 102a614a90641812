import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing

/// `clients/vectors/workers.json`: conversations of a worker with its gateways.
@Suite struct WorkerVectorTests {
  @Test("a worker keeps to the conversation", arguments: VectorFile.entries("workers", "conversations"))
  func conversation(vector: Vector) {
    var party = WorkerParty(vector)
    for step in vector["steps"].list { party.perform(step) }
    #expect(party.worker.faults(atRest: false) == [])
  }
}

private struct WorkerParty {
  private(set) var worker: Worker
  private var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private var script = Script()
  private var handlers: [String: UInt64] = [:]
  /// Handlers that were started and not named yet, with their requests.
  private var started: [(call: UInt64, request: [UInt8]?)] = []

  init(_ vector: Vector) {
    var hello = Hello(instance: "w", epoch: 0, role: .worker)
    hello.services = [
      Hello.ServiceOffer(name: InteropServiceMethods.service.name, methods: InteropServiceMethods.service.methods)
    ]
    var configuration = WorkerConfiguration(slots: vector["slots"].number ?? 1)
    configuration.prefetch = vector["prefetch"].number ?? 0
    worker = Worker(configuration: configuration, hello: hello, epoch: 1, at: now)
    for link in 0..<(vector["gateways"].number ?? 1) {
      worker.connected(link, at: now)
      collect()
      if vector["established"].flag { establish(link) }
    }
  }

  private mutating func establish(_ link: Int) {
    script.expect(.object(["type": .text("HELLO"), "hello": .object(["epoch": .text("new")])]), on: link)
    var ack = Envelope(.helloAck)
    ack.session = UInt64(5 + link)
    ack.extra = Envelope.Extra(
      helloAck: HelloAck(session: ack.session, gateway: "a\(link)", version: 1, pingMilliseconds: 500))
    worker.receive(ack, on: link, at: now)
    collect()
  }

  mutating func perform(_ step: JSONValue) {
    let link = step["link"].number ?? 0
    for (name, value) in step.members where name != "link" {
      switch name {
      case "sends": script.expect(value, on: link)
      case "gets": worker.receive(script.envelope(value), on: link, at: now)
      case "passes_ms": pass(value.number ?? 0)
      case "silent": script.expectNone(Envelope.kind(value.text ?? ""), on: link)
      case "streams": script.expectStream(value, on: link)
      case "credit":
        let bounds = value.list.compactMap(\.number)
        #expect((bounds[0]...bounds[1]).contains(script.credit[link] ?? 0))
      case "starts": start(value)
      case "returns": finish(value, with: .ok)
      case "fails": finish(value, with: failure(value))
      case "stops": worker.drain(at: now)
      default: Issue.record("there is no step \(name)")
      }
    }
    collect()
  }

  private func code(_ name: JSONValue) -> StatusCode {
    StatusCode.allCases.first { $0.name == name.text } ?? .unknown
  }

  private func failure(_ vector: JSONValue) -> Status {
    let details = vector["details"].list.map {
      Status.Detail(typeName: $0["type_name"].text ?? "", value: $0["value"].bytes)
    }
    return Status(code(vector["code"]), vector["message"].written, details: details)
  }

  private mutating func start(_ expected: JSONValue) {
    guard !started.isEmpty else {
      Issue.record("no handler was started")
      return
    }
    let next = started.removeFirst()
    handlers[expected["name"].text ?? ""] = next.call
    #expect(next.request == expected["request"].bytes)
  }

  private mutating func finish(_ handler: JSONValue, with status: Status) {
    var metadata = Metadata()
    for (key, value) in handler["initial_metadata"].members {
      metadata.appendUnchecked(key: key, value: Array((value.text ?? "").utf8))
    }
    worker.finish(
      handlers[handler["name"].text ?? ""] ?? 0, with: status, answer: status.isOK ? handler["answer"].bytes : nil,
      initialMetadata: metadata, at: now)
  }

  private mutating func pass(_ milliseconds: Int) {
    for _ in 0..<milliseconds / 10 {
      now = now + .milliseconds(10)
      worker.advance(to: now)
      collect()
    }
  }

  private mutating func collect() {
    var sent: [(Int, Envelope)] = []
    worker.flush { sent.append(($0, $1)) }
    for (link, envelope) in sent { script.note(envelope, on: link) }
    for action in worker.takeActions() {
      if case .start(let call, _, let request) = action { started.append((call, request)) }
    }
  }
}
