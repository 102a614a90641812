import Base
import Bus
import Interop
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// A port does what a channel does, in values.
@Suite(.timeLimit(.minutes(1))) struct CallPortTests {
  private let bench = PortBench()

  @Test("a unary call ends with its answer")
  func unary() async throws {
    let call = try bench.begin(InteropServiceMethods.emptyCall, EmptyCallRequest())
    let outcome = await bench.outcome(of: call)
    #expect(outcome.status == .ok)
    #expect(outcome.messages == [[]])
  }

  @Test("a status with its details comes as it was sent")
  func failure() async throws {
    var request = UnaryCallRequest()
    request.responseStatus = EchoStatus(code: 9, message: "not now")
    let outcome = await bench.outcome(of: try bench.begin(InteropServiceMethods.unaryCall, request))
    #expect(outcome.status.code == .failedPrecondition)
    #expect(outcome.status.message == "not now")
  }

  @Test("a large request and a large answer travel in chunks")
  func large() async throws {
    var request = UnaryCallRequest()
    request.responseSize = 300_000
    request.payload = Payload(body: [UInt8](repeating: 7, count: 200_000))
    let outcome = await bench.outcome(of: try bench.begin(InteropServiceMethods.unaryCall, request))
    #expect(outcome.status == .ok)
    let answer = try UnaryCallResponse(decoding: outcome.messages.last ?? [])
    #expect(answer.payload?.body.count == 300_000)
  }

  @Test("a reader that takes nothing stops the writer, and goes on where it stopped")
  func demand() async throws {
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 10_000), count: 100)
    let call = try bench.begin(InteropServiceMethods.streamingOutputCall, request)
    // The first window is 64 KiB; a message that has begun within it may arrive to its end.
    let first = await bench.messages(of: call, atLeast: 7)
    // What else the writer sent would have come before the answers to later calls.
    for _ in 0..<5 { _ = await bench.outcome(of: try bench.begin(InteropServiceMethods.emptyCall, EmptyCallRequest())) }
    #expect(await bench.waiting(for: call).isEmpty && first.count == 7)
    call.consumed(bytes: first.reduce(0) { $0 + $1.count }, messages: first.count)
    let outcome = await bench.outcome(of: call)
    #expect(outcome.status == .ok)
    #expect(first.count + outcome.messages.count == 100)
  }

  @Test("a full call refuses messages and says when there is room")
  func room() async throws {
    let call = bench.stream(InteropServiceMethods.streamingInputCall)
    let message = try StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 1, count: 60_000))).encoded()
    var sent = 0
    var waits = 0
    while sent < 50 {
      if call.send(message) {
        sent += 1
      } else {
        waits += 1
        await bench.room(for: call)
      }
    }
    call.finishSending()
    let outcome = await bench.outcome(of: call)
    #expect(outcome.status == .ok)
    #expect(try StreamingInputCallResponse(decoding: outcome.messages.last ?? []).aggregatedPayloadSize == 3_000_000)
  }

  @Test("metadata that may not travel is refused without asking the bus")
  func metadata() async throws {
    var request = PortRequest(
      InteropServiceMethods.emptyCall, caller: bench.caller, deadline: bench.port.now + .seconds(5), message: [])
    request.metadata.appendUnchecked(key: "Bad Key", value: [])
    let outcome = await bench.outcome(of: bench.port.begin(request))
    #expect(outcome.status.code == .invalidArgument)
  }

  @Test("a cancelled call has no outcome, and its handler is cancelled")
  func cancel() async throws {
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 10, intervalUs: 50_000), count: 1_000)
    let call = try bench.begin(InteropServiceMethods.streamingOutputCall, request)
    _ = await bench.messages(of: call, atLeast: 1)
    call.cancel()
    let outcome = await bench.outcome(of: call)
    #expect(outcome.status.code == .cancelled)
  }
}

/// A port over the in-process bus with the interoperability service.
final class PortBench {
  let bus = InProcessBus()
  let port: CallPort
  let caller = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
  private let signal = WakeUp()
  private var kept: [UInt64: [PortNews.Content]] = [:]

  init() {
    bus.serve([InteropHandlers(instance: "one")])
    port = bus.port { [signal] in signal.set() }
  }

  func begin(_ method: MethodDescriptor, _ request: some Message) throws -> PortCall {
    port.begin(
      PortRequest(method, caller: caller, deadline: port.now + .seconds(30), message: try request.encoded()))
  }

  func stream(_ method: MethodDescriptor) -> PortCall {
    port.begin(PortRequest(method, caller: caller, deadline: port.now + .seconds(30)))
  }

  /// What has come for the call and was not yet looked at.
  func waiting(for call: PortCall) async -> [PortNews.Content] {
    collect()
    return kept.removeValue(forKey: call.number) ?? []
  }

  private func collect() {
    var news: [PortNews] = []
    port.takeNews(into: &news)
    for item in news { kept[item.call, default: []].append(item.content) }
  }

  private func next(for call: PortCall) async -> [PortNews.Content] {
    while true {
      let news = await waiting(for: call)
      if !news.isEmpty { return news }
      await signal.wait()
    }
  }

  /// Messages until there are this many; they are not consumed.
  func messages(of call: PortCall, atLeast count: Int) async -> [[UInt8]] {
    var messages: [[UInt8]] = []
    while messages.count < count {
      for case .messages(let batch) in await next(for: call) { messages += batch.map { Array($0) } }
    }
    return messages
  }

  func room(for call: PortCall) async {
    while true {
      for case .room in await next(for: call) { return }
    }
  }

  /// Consumes all messages until the call ends.
  func outcome(of call: PortCall) async -> (status: Status, messages: [[UInt8]]) {
    var messages: [[UInt8]] = []
    while true {
      for item in await next(for: call) {
        switch item {
        case .messages(let batch):
          messages += batch.map { Array($0) }
          call.consumed(bytes: batch.reduce(0) { $0 + $1.count }, messages: batch.count)
        case .ended(let status, let last):
          if let last { messages.append(last) }
          return (Status(status.code, status.message, details: status.details), messages)
        case .headers, .room: break
        }
      }
    }
  }
}
