internal import Base

/// A client: its socket, its connection, and its encryption if there is any.
final class GRPCPeer {
  let number: UInt64
  let socket: ConnectedSocket
  let connection: GRPCConnection
  /// Its address, in the form that `CountedAddress` gives it.
  let host: String
  /// nil when the connection is not encrypted.
  private let tls: TLSSession?
  /// Whether it is in the door's list of peers with output to send.
  var isTouched = false
  /// Output that the socket did not take.
  private var unsent: [UInt8] = []
  private var sentCount = 0
  /// Since when the socket has not taken all output.
  private(set) var blockedSince: MonotonicTime?
  /// When the connection ended. From then on, only the end of the client's bytes is awaited.
  private(set) var endedAt: MonotonicTime?
  /// Whether the socket is closed or broken.
  private(set) var isGone = false

  /// How many bytes are read from or sent to one peer before others get their turn.
  private static let share = 256 << 10

  init(_ number: UInt64, _ socket: ConnectedSocket, _ connection: GRPCConnection, tls: TLSSession?, host: String) {
    self.tls = tls
    self.number = number
    self.socket = socket
    self.connection = connection
    self.host = host
  }

  /// Whether its next bytes are part of a handshake.
  var isShakingHands: Bool { tls?.isShakingHands == true }

  /// Whether output waits for the socket.
  var wantsRoom: Bool { blockedSince != nil }

  /// Reads from the socket, one `buffer` at a time, up to `share` bytes. Returns whether more may be waiting.
  func read(using buffer: inout [UInt8], at now: MonotonicTime) -> Bool {
    var count = 0
    while count < Self.share {
      switch socket.read(into: &buffer) {
      case .done(let read):
        count += read
        if endedAt == nil { take(buffer.span.extracting(0..<read), at: now) }
        if read < buffer.count { return false }
      case .wouldBlock: return false
      case .over:
        lose()
        return false
      }
    }
    return true
  }

  private func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    guard let tls else { return connection.receive(bytes, at: now) }
    var plain: [UInt8] = []
    tls.receive(bytes, into: &plain)
    connection.receive(plain.span, at: now)
    if tls.isOver { connection.lose() }
  }

  /// Sends the output that there is, collected in `buffer`; returns whether more is left for another turn.
  func write(using buffer: inout [UInt8], at now: MonotonicTime) -> Bool {
    guard endedAt == nil, !isGone else { return false }
    guard sendUnsent() else { return false }
    var count = 0
    while count < Self.share {
      buffer.removeAll(keepingCapacity: true)
      let isUnfinished = connection.output(into: &buffer, upTo: Self.share, at: now)
      if let tls { encrypt(&buffer, by: tls) }
      if buffer.isEmpty { break }
      count += buffer.count
      guard send(buffer, at: now) else { return false }
      if !isUnfinished { break }
    }
    if connection.isOver || tls?.isOver == true {
      // The client may still be sending: if the socket were closed at once, the system would discard the last output.
      socket.finishWriting()
      endedAt = now
    }
    return count >= Self.share
  }

  private func encrypt(_ bytes: inout [UInt8], by tls: TLSSession) {
    tls.send(bytes)
    bytes.removeAll(keepingCapacity: true)
    tls.output(into: &bytes)
  }

  /// Ends what takes too long.
  func check(_ limits: GRPCLimits, at now: MonotonicTime) {
    if let endedAt, now - endedAt >= limits.patience { return lose() }
    if let blockedSince, now - blockedSince >= limits.unread { return lose() }
    connection.check(at: now)
  }

  func lose() {
    isGone = true
    connection.lose()
  }

  private func send(_ bytes: [UInt8], at now: MonotonicTime) -> Bool {
    var place = 0
    while place < bytes.count {
      switch socket.write(bytes.span.extracting(place..<bytes.count)) {
      case .done(let count): place += count
      case .wouldBlock:
        unsent = Array(bytes[place...])
        sentCount = 0
        blockedSince = now
        return false
      case .over:
        lose()
        return false
      }
    }
    return true
  }

  private func sendUnsent() -> Bool {
    while sentCount < unsent.count {
      switch socket.write(unsent.span.extracting(sentCount..<unsent.count)) {
      case .done(let count): sentCount += count
      case .wouldBlock: return false
      case .over:
        lose()
        return false
      }
    }
    unsent = []
    sentCount = 0
    blockedSince = nil
    return true
  }
}
