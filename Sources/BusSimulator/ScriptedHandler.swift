internal import Base
internal import Bus
internal import RPC

/// A handler that follows a script: it reads the requests, calls others, changes something, and answers.
final class ScriptedHandler {
  private let call: UInt64
  private let start: WorkerStart
  private let request: [UInt8]?
  private let script: Script
  private unowned let node: WorkerNode
  private var world: World { node.world }
  private var unread: [[UInt8]] = []
  private var read = 0
  private var hasAllRequests = false
  private var answered = 0
  private var outstanding = 0
  private var nestedDone = 0
  private var nestedCall: ScriptedCall?
  private var cancellation: Status?
  private var isWedged = false
  private var isDone = false
  /// Continues the handler when what it waits for has come; its slot is free meanwhile.
  private var goOn: (() -> Void)?

  init(call: UInt64, start: WorkerStart, request: [UInt8]?, at node: WorkerNode) {
    self.call = call
    self.start = start
    self.request = request
    self.node = node
    script = node.world.script(named: start.metadata["script"] ?? "")
  }

  func begin() {
    world.ledger.started(script, start, at: node)
    isWedged = script.wedge > .zero
    node.plan(after: script.wedge + script.handlerPause) { [self] in
      isWedged = false
      if !script.method.kind.clientStreams, request != script.request(0) {
        world.fail("call \(script.id): the handler got another request than was sent")
      }
      readNext()
    }
  }

  // MARK: - Events

  func received(_ message: [UInt8]) {
    if hasAllRequests { world.fail("call \(script.id): a request came after the last one") }
    unread.append(message)
    wake()
  }

  func requestsEnded() {
    hasAllRequests = true
    wake()
  }

  func accepted(_ bytes: Int) {
    outstanding -= bytes
    wake()
  }

  func cancelled(because status: Status) {
    cancellation = cancellation ?? status
    nestedCall?.cancel()
    wake()
  }

  /// The handler's process has died: nothing of the handler happens any more.
  func forget() {
    isDone = true
    goOn = nil
    nestedCall = nil
  }

  // MARK: - The script

  /// The message of the status with which a handler passes on the failure of a call that it made.
  static let nestedFailure = "nested"

  private func readNext() {
    guard goesOn else { return }
    guard script.method.kind.clientStreams else { return callNext() }
    if let message = unread.first {
      unread.removeFirst()
      if read >= script.requestSizes.count || message != script.request(read) {
        world.fail("call \(script.id), \(script.method.path): request \(read) is not what the caller sent")
      }
      read += 1
      node.consumed(call, bytes: message.count)
      // A conversation: an answer to each request, as long as there are any.
      if script.method.kind.serverStreams, answered < script.answerSizes.count { return answerNext(then: readNext) }
      return compute(readNext)
    }
    guard hasAllRequests else { return wait(readNext) }
    if read != script.requestSizes.count {
      world.fail("call \(script.id), \(script.method.path): \(read) of \(script.requestSizes.count) requests came")
    }
    callNext()
  }

  private func callNext() {
    guard goesOn else { return }
    guard nestedDone < script.nested.count, let part = node.calling else { return change() }
    let nested = world.script(script.nested[nestedDone])
    nestedDone += 1
    node.waits(call)
    let key = nested.derivesKey ? "\(start.idempotencyKey)/\(nestedDone)" : nested.key
    let made = ScriptedCall(script: nested, part: part) { [self] status in
      nestedCall = nil
      guard !isDone else { return }
      node.resumes(call)
      guard status.isOK else { return finish(with: cancellation ?? Status(status.code, Self.nestedFailure)) }
      compute(callNext)
    }
    nestedCall = made
    made.begin(key: key, caller: start.identity, latest: start.deadline)
  }

  private func change() {
    guard goesOn else { return }
    if start.attempt <= script.unavailableTries { return finish(with: Status(.unavailable, "not yet")) }
    guard script.outcome == .ok else { return finish(with: Status(script.outcome, "as written")) }
    world.ledger.changed(script, under: start.idempotencyKey)
    compute { [self] in
      if script.method.kind.serverStreams { answerNext(then: nil) } else { finish(with: .ok) }
    }
  }

  /// Sends an answer of a stream, and then continues with `next` or, without one, with the remaining answers.
  private func answerNext(then next: (() -> Void)?) {
    guard goesOn else { return }
    guard answered < script.answerSizes.count else { return finish(with: .ok) }
    guard outstanding < BusLimits.chunk else { return wait { [self] in answerNext(then: next) } }
    let message = script.answer(answered)
    answered += 1
    outstanding += MessageRun(message).byteCount
    node.send(call, message)
    compute(next ?? { [self] in answerNext(then: nil) })
  }

  // MARK: - Steps

  private var goesOn: Bool {
    guard !isDone else { return false }
    guard let cancellation else { return true }
    finish(with: cancellation)
    return false
  }

  private func compute(_ next: @escaping () -> Void) {
    node.plan(after: script.handlerPause, next)
  }

  private func wait(_ next: @escaping () -> Void) {
    node.waits(call)
    goOn = next
  }

  private func wake() {
    guard !isWedged, let next = goOn else { return }
    goOn = nil
    node.resumes(call)
    next()
  }

  private func finish(with status: Status) {
    guard !isDone else { return }
    isDone = true
    let answersOnce = !script.method.kind.serverStreams
    if script.method.kind == .clientStreaming, status.isOK {
      // As in generated code: the single answer of such a method is a stream of one message.
      node.send(call, script.answer(0))
      return node.finish(call, with: status, answer: nil)
    }
    node.finish(call, with: status, answer: answersOnce && status.isOK ? script.answer(0) : nil)
  }
}
