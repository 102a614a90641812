import Base
import Bus
import RPC
import Testing

/// A peer that follows no protocol: it sends any bytes through one of a gateway's doors.
struct RawPeer: ~Copyable {
  private let socket: Socket
  private var poller: Poller
  private(set) var session: UInt64 = 0
  /// Further envelopes that came in the same message as a requested one.
  private var waiting: [Envelope] = []

  init(_ door: String, in context: ZeroMQContext) throws {
    var options = SocketOptions(.dealer)
    options.linger = .zero
    let socket = try Socket(options, in: context)
    var poller = Poller(wakeup: try Wakeup())
    poller.add(socket)
    try socket.connect("ipc://\(door)")
    self.socket = socket
    self.poller = poller
  }

  /// Sends as soon as there is room; false when the gateway took nothing for so long.
  @discardableResult
  mutating func send(
    _ bytes: [UInt8], payload: [UInt8] = [], within limit: Duration = .seconds(2)
  ) throws -> Bool {
    let deadline = Clock.system.monotonic + limit
    while try socket.send(bytes.span, payload: payload) != .sent {
      guard Clock.system.monotonic < deadline else { return false }
      // No descriptor reports room.
      try poller.wait(.milliseconds(2))
    }
    return true
  }

  @discardableResult
  mutating func send(_ envelope: Envelope, within limit: Duration = .seconds(2)) throws -> Bool {
    var envelope = envelope
    if envelope.session == 0 { envelope.session = session }
    let frames = try EnvelopeFrames(envelope)
    return try send(frames.head, payload: frames.payload ?? [], within: limit)
  }

  /// The next envelope that is not a ping; nil when none comes in time.
  mutating func receive(within limit: Duration = .seconds(10)) throws -> Envelope? {
    let deadline = Clock.system.monotonic + limit
    var inbound = Inbound()
    while Clock.system.monotonic < deadline {
      while !waiting.isEmpty {
        let envelope = waiting.removeFirst()
        if envelope.kind != .ping, envelope.kind != .pong { return envelope }
      }
      guard try socket.receive(into: &inbound) == .message else {
        try poller.wait(.milliseconds(20))
        continue
      }
      let head = inbound.header
      waiting = try EnvelopeFrames.envelopes(head: head.span, payload: inbound.hasPayload ? inbound.payload : nil)
    }
    return nil
  }

  /// Sends HELLO as `role` and returns the gateway's answer.
  mutating func greet(
    _ role: Hello.Role, epoch: UInt64 = 1, credit: UInt64 = 0, change: (inout Hello) -> Void = { _ in }
  ) throws -> Envelope? {
    var hello = Hello(instance: "raw", epoch: epoch, role: role)
    change(&hello)
    var envelope = Envelope(.hello)
    envelope.credit = credit
    envelope.extra = Envelope.Extra(hello: hello)
    let frames = try EnvelopeFrames(envelope)
    try send(frames.head)
    while let answer = try receive() {
      if let acknowledgement = answer.extra?.helloAck { session = acknowledgement.session }
      if answer.kind == .helloAck || answer.kind == .goaway { return answer }
    }
    return nil
  }
}
