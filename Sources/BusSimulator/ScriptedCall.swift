internal import Base
internal import Bus
internal import RPC
internal import Wire

/// A caller that follows a script, and compares the answers with it.
final class ScriptedCall {
  let script: Script
  private unowned let part: CallingPart
  private var world: World { part.node.world }
  private let whenEnded: (Status) -> Void
  private var number: UInt64 = 0
  private var deadline = MonotonicTime(nanoseconds: 0)
  private var sent = 0
  private var outstanding = 0
  private var isBlocked = false
  private var answers = 0
  private var unread: [Int] = []
  private var isReading = false
  private var read = 0
  private var hasEnded = false
  private var hasMetadata = false

  /// More bytes may never be unread: as far as any window reaches.
  private static let mostUnread = Int(BusLimits.furthestWindow)

  init(script: Script, part: CallingPart, whenEnded: @escaping (Status) -> Void = { _ in }) {
    self.script = script
    self.part = part
    self.whenEnded = whenEnded
  }

  /// - Parameters:
  ///   - key: the idempotency key; a nested call gets it from the call that makes it.
  ///   - latest: the deadline of the call that makes this one.
  func begin(key: String, caller: CallerIdentity? = nil, latest: MonotonicTime? = nil) {
    deadline = min(world.now + script.deadline, latest ?? .never)
    world.ledger.made(script, by: part.node, until: deadline)
    var metadata = Metadata()
    metadata.appendUnchecked(key: "script", value: Array(String(script.id).utf8))
    let streams = script.method.kind.clientStreams
    number = part.open(self) { number in
      ClientRequest(
        number, method: script.method, deadline: deadline, metadata: metadata, idempotencyKey: key,
        waitsForReady: script.waitsForReady, caller: caller, request: streams ? nil : script.request(0))
    }
    if streams { sendNext() }
    if let pause = script.cancelAfter { later(pause) { $0.cancel() } }
    if script.resetAfter == 0 { later(.zero) { $0.cancel() } }
  }

  func cancel() {
    if !hasEnded { part.cancel(number) }
  }

  // MARK: - Requests

  private func sendNext() {
    guard !hasEnded else { return }
    guard sent < script.requestSizes.count else { return part.halfClose(number) }
    // A writer continues when its last message has been sent.
    guard outstanding < BusLimits.chunk else {
      isBlocked = true
      return
    }
    let message = script.request(sent)
    sent += 1
    outstanding += MessageRun(message).byteCount
    part.send(number, message)
    if script.callerPause > .zero { later(script.callerPause) { $0.sendNext() } } else { sendNext() }
  }

  func accepted(_ bytes: Int) {
    outstanding -= bytes
    guard isBlocked, outstanding < BusLimits.chunk else { return }
    isBlocked = false
    sendNext()
  }

  // MARK: - Answers

  func sawMetadata() {
    if hasMetadata { world.fail("\(script.method.path): initial metadata came twice") }
    hasMetadata = true
  }

  func received(_ message: [UInt8]) {
    if !hasMetadata { world.fail("\(script.method.path): a message came before the initial metadata") }
    if answers >= script.answerSizes.count || message != script.answer(answers) {
      world.fail("call \(script.id), \(script.method.path): answer \(answers) is not what the handler sent")
    }
    answers += 1
    if answers == script.resetAfter { later(.zero) { $0.cancel() } }
    guard script.method.kind.serverStreams else { return }
    unread.append(message.count)
    if unread.reduce(0, +) > Self.mostUnread {
      world.fail("call \(script.id), \(script.method.path): more came than its caller has room for")
    }
    if !isReading { readNext() }
  }

  /// The outcome, with the last message if there is one.
  func receivedLast(_ message: [UInt8]?, with status: Status) {
    if status.isOK, !hasMetadata { sawMetadata() }
    if let message { received(message) }
  }

  private func readNext() {
    isReading = !unread.isEmpty && read != script.stopsReadingAfter
    guard isReading else { return }
    later(script.callerPause) { call in
      guard !call.hasEnded else { return }
      call.read += 1
      call.part.consumed(call.number, bytes: call.unread.removeFirst())
      call.readNext()
    }
  }

  func ended(_ status: Status) {
    hasEnded = true
    let latest = max(deadline, part.node.thawedAt) + .milliseconds(1)
    if world.now > latest {
      world.fail("call \(script.id), \(script.method.path): ended \(world.now - latest) after its deadline")
    }
    if status.isOK, answers != script.answerSizes.count {
      world.fail(
        "call \(script.id), \(script.method.path): ended well with \(answers) of \(script.answerSizes.count) answers")
    }
    world.ledger.ended(script, with: status, due: deadline)
    whenEnded(status)
  }

  private func later(_ pause: Duration, _ body: @escaping (ScriptedCall) -> Void) {
    part.node.plan(after: pause) { body(self) }
  }
}
