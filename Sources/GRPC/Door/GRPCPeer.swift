internal import Base

/// A client's socket with its connection.
final class GRPCPeer {
  let number: UInt64
  let socket: ConnectedSocket
  let connection: GRPCConnection
  /// Its address as it is counted.
  let host: String
  /// nil where nothing is encrypted.
  private let tls: TLSSession?
  /// Whether it is in the list of those whose output is to be sent.
  var isTouched = false
  /// Output that the socket did not take.
  private var unsent: [UInt8] = []
  private var sentCount = 0
  /// Since when there is output that the socket has not taken whole.
  private(set) var blockedSince: MonotonicTime?
  /// Since when the connection is over, and only the end of the client's bytes is waited for.
  private(set) var endedAt: MonotonicTime?
  /// The socket is of no more use.
  private(set) var isGone = false

  /// How much of one peer is sent or read before others have their turn.
  private static let share = 256 << 10

  init(_ number: UInt64, _ socket: ConnectedSocket, _ connection: GRPCConnection, tls: TLSSession?, host: String) {
    self.tls = tls
    self.number = number
    self.socket = socket
    self.connection = connection
    self.host = host
  }

  /// Whether it waits for the socket to take bytes.
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

  /// Sends what there is, put together in `buffer`; true when there is more for another turn.
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
      // The client may still be sending: closing the socket at once would discard the last output.
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
