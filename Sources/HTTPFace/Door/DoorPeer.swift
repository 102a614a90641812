internal import Base
internal import HTTP1
internal import ServiceKit

/// A client: its socket, its encryption if there is any, and its connection once it is known which protocol it speaks.
final class DoorPeer {
  let number: UInt64
  let socket: ConnectedSocket
  let address: String
  /// Its address, in the form that `CountedAddress` gives it.
  let host: String
  /// Called when there may be something to send or to read, although the socket reported nothing.
  var onChange: () -> Void = {}
  private let router: HTTPRouter
  /// nil when the connection is not encrypted.
  private let tls: TLSSession?
  /// The first bytes, until they tell the protocol.
  private var firstBytes: [UInt8] = []
  private var connection: (any ClientConnection)?
  private let openedAt: MonotonicTime
  /// Whether it is in the door's list of peers with something to do.
  var isTouched = false
  /// What the door's set reports of the socket.
  var watched = Watch(input: true, room: false)
  /// Output that the socket did not take.
  private var unsent: [UInt8] = []
  private var sentCount = 0
  /// Since when the socket has not taken all output.
  private(set) var blockedSince: MonotonicTime?
  /// When the connection ended. From then on, only the end of the client's bytes is awaited.
  private(set) var endedAt: MonotonicTime?
  private var hasInputEnded = false
  private var isLeaving = false
  private var isDraining = false
  /// Whether the socket is closed or broken.
  private(set) var isGone = false

  /// How many bytes came after the end.
  private var skipped = 0

  /// How many bytes are read from or sent to one peer before others get their turn.
  private static let share = 256 << 10
  /// How many bytes are read first: requests of so many bytes take some milliseconds already.
  private static let firstRead = 16 << 10
  /// After how many requests others get their turn.
  private static let mostBegun = 32
  /// How many bytes after the end are read past. They may be the rest of a body that was refused, so these are more
  /// than the longest message has.
  private static let mostSkipped = 64 << 20

  struct Watch: Equatable {
    var input: Bool
    var room: Bool
  }

  init(
    _ number: UInt64, _ socket: ConnectedSocket, address: String, host: String, tls: TLSSession?, router: HTTPRouter,
    at now: MonotonicTime
  ) {
    self.tls = tls
    self.number = number
    self.socket = socket
    self.address = address
    self.host = host
    self.router = router
    openedAt = now
  }

  /// Whether its next bytes are part of a handshake.
  var isShakingHands: Bool { tls?.isShakingHands == true }

  /// What the door's set has to report of the socket.
  var wanted: Watch { Watch(input: wantsInput, room: blockedSince != nil) }

  private var wantsInput: Bool { !hasInputEnded && (endedAt != nil || connection?.wantsInput ?? true) }

  /// Why the server gave the connection up; nil if it did not.
  var fault: String? { connection?.fault }
  /// Whether any of the client's requests is unanswered.
  var hasRequests: Bool { connection?.hasRequests ?? false }

  /// Reads from the socket, one `buffer` at a time, up to this peer's share. Returns whether more may be waiting.
  func read(using buffer: inout [UInt8], at now: MonotonicTime) -> Bool {
    // A socket that nothing is wanted of is reported only when it is broken.
    guard wantsInput || blockedSince != nil else {
      lose()
      return false
    }
    if endedAt != nil {
      skip()
      return false
    }
    var (count, size) = (0, Self.firstRead)
    let begun = connection?.begun ?? 0
    while wantsInput {
      guard count < Self.share, (connection?.begun ?? 0) - begun < Self.mostBegun else { return true }
      switch socket.read(into: &buffer, upTo: size) {
      case .done(let read):
        take(buffer.span.extracting(0..<read), at: now)
        if read < size { return false }
        count += read
        size = buffer.count
      case .wouldBlock: return false
      case .ended:
        endInput(at: now)
        return false
      case .broken:
        lose()
        return false
      }
    }
    return false
  }

  /// Reads past what the client sends after the end, so that it gets to read the last output: if a socket is closed
  /// with bytes unread, the system throws that away. Whoever goes on and on does not read.
  private func skip() {
    switch socket.skip(Self.share) {
    case .done(let count):
      skipped += count
      if skipped > Self.mostSkipped { lose() }
    case .wouldBlock: break
    case .ended, .broken: lose()
    }
  }

  private func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    guard let tls else { return receive(bytes, at: now) }
    var plain: [UInt8] = []
    tls.receive(bytes, into: &plain)
    if !plain.isEmpty { receive(plain.span, at: now) }
    // What the client is told of it, an alert, is still sent.
    if tls.isOver { connection?.lose() }
  }

  private func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    if let connection { return connection.receive(bytes, at: now) }
    firstBytes.append(bytes)
    guard let spoken = SpokenProtocol(firstBytes) else { return }
    let connection: any ClientConnection =
      switch spoken {
      case .http1: HTTP1Client(router, address: address, isSecure: tls != nil, at: now)
      case .http2: HTTP2Client(router, address: address, isSecure: tls != nil, at: now)
      }
    connection.onChange = { [unowned self] in onChange() }
    self.connection = connection
    connection.receive(firstBytes.span, at: now)
    firstBytes = []
    if isLeaving { connection.leave(at: now) }
    if isDraining { connection.drain(at: now) }
  }

  /// The client sends nothing more.
  private func endInput(at now: MonotonicTime) {
    hasInputEnded = true
    // Encryption that has ended lets nothing be sent.
    guard endedAt == nil, tls?.isOver != true, connection?.endInput(at: now) == true else { return lose() }
  }

  /// Sends the output that there is, collected in `buffer`; returns whether more is left for another turn.
  func write(using buffer: inout [UInt8], at now: MonotonicTime) -> Bool {
    guard endedAt == nil, !isGone else { return false }
    guard sendUnsent() else { return false }
    var count = 0
    while count < Self.share {
      buffer.removeAll(keepingCapacity: true)
      let isUnfinished = connection?.output(into: &buffer, upTo: Self.share, at: now) ?? false
      if let tls { encrypt(&buffer, by: tls) }
      if buffer.isEmpty { break }
      count += buffer.count
      guard send(buffer, at: now) else { return false }
      if !isUnfinished { break }
    }
    if connection?.isBroken == true {
      socket.abort()
      lose()
    } else if connection?.isOver == true || tls?.isOver == true {
      if hasInputEnded { lose() }
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
  func check(_ limits: DoorLimits, at now: MonotonicTime) {
    if let endedAt, now - endedAt >= limits.patience { return lose() }
    if let blockedSince, now - blockedSince >= limits.unread { return lose() }
    guard let connection else {
      if now - openedAt >= limits.greeting { lose() }
      return
    }
    connection.check(at: now)
  }

  /// Has the client go elsewhere with what follows; one that has said nothing yet, as soon as it speaks.
  func leave(at now: MonotonicTime) {
    isLeaving = true
    connection?.leave(at: now)
  }

  /// Has the client go elsewhere once it is answered; one that has said nothing yet, as soon as it speaks.
  func drain(at now: MonotonicTime) {
    isDraining = true
    connection?.drain(at: now)
  }

  func lose() {
    isGone = true
    connection?.lose()
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
      case .ended, .broken:
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
      case .ended, .broken:
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
