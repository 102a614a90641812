package import Base
package import RPC
internal import Wire

/// Makes the calls of a batch, each as soon as it has what it refers to.
package struct BatchRun: Sendable {
  private let channel: any Channel
  private let pool: DoorPool
  private let holder: String
  private let clock: Clock
  private let deadline: MonotonicTime
  private let key: String
  private let admit: @Sendable (MethodDescriptor) throws(Status) -> Void

  /// How many calls run at a time.
  private static let width = 16
  /// The most bytes of all answers together.
  private static let mostAnswered = 24 << 20
  /// Work on more bytes than this is done by the pool's threads.
  static let shortCount = 16 << 10

  /// - Parameters:
  ///   - channel: makes calls for the batch's caller.
  ///   - pool: converts long messages.
  ///   - holder: the account or address that takes turns in the pool.
  ///   - key: the batch's own idempotency key.
  ///   - admit: throws when the caller may not make a call, or not now.
  package init(
    _ channel: any Channel, pool: DoorPool, for holder: String, clock: Clock, deadline: MonotonicTime, key: String,
    admit: @escaping @Sendable (MethodDescriptor) throws(Status) -> Void
  ) {
    self.channel = channel
    self.pool = pool
    self.holder = holder
    self.clock = clock
    // Calls have to end a little before the batch does, so that when some are late the outcomes of the others still
    // reach the caller in time.
    let spare = min((deadline - clock.monotonic) / 10, .milliseconds(250))
    self.deadline = deadline + (.zero - spare)
    self.key = key
    self.admit = admit
  }

  /// The outcomes of the calls, in their order.
  package func outcomes(of plan: BatchPlan) async -> [BatchOutcome] {
    await withTaskGroup(of: (Int, BatchOutcome).self) { group in
      var outcomes = [BatchOutcome?](repeating: nil, count: plan.calls.count)
      var waiting = Array(plan.calls.indices)
      var running = 0
      var answered = 0
      while true {
        waiting.removeAll { place in
          let call = plan.calls[place]
          guard running < Self.width, call.request.needs.allSatisfy({ outcomes[$0] != nil }) else { return false }
          running += 1
          group.addTask { [outcomes] in (place, await outcome(of: call, at: place, outcomes)) }
          return true
        }
        guard let (place, outcome) = await group.next() else { break }
        running -= 1
        outcomes[place] = Self.kept(outcome, &answered)
      }
      return outcomes.map { $0 ?? .failed(Status(.internal, rule: "not_run", "the batch ended before this call")) }
    }
  }

  private static func kept(_ outcome: BatchOutcome, _ answered: inout Int) -> BatchOutcome {
    guard case .answer(let json) = outcome else { return outcome }
    guard answered + json.count <= mostAnswered else {
      return .failed(
        Status(
          .resourceExhausted,
          rule: "answers_too_large",
          "the call ended well, and the answers of the batch have more than \(mostAnswered) bytes; "
            + "repeat the call by itself"))
    }
    answered += json.count
    return outcome
  }

  private func outcome(of call: BatchPlan.Call, at place: Int, _ earlier: [BatchOutcome?]) async -> BatchOutcome {
    do throws(Status) {
      // Before any work is done for the call.
      try admit(call.method.descriptor)
      let request = try await converted(call.request.cost(with: earlier)) { () throws(Status) in
        try call.request.filled(from: earlier)
      }
      let message = try await converted(request.count) { () throws(Status) in try Self.binary(request, call.method) }
      let remaining = deadline - clock.monotonic
      guard remaining > .zero else {
        throw Status(.deadlineExceeded, rule: "not_run", "the batch's deadline has passed")
      }
      let options = CallOptions(
        deadline: remaining, metadata: AdmissionTickets.void, idempotencyKey: idempotencyKey(of: call, at: place))
      let answer = try await channel.unary(call.method.descriptor, message, options: options).message
      return .answer(
        try await converted(answer.count, mustWait: true) { () throws(Status) in
          try Self.json(answer, call.method)
        })
    } catch {
      return .failed(error)
    }
  }

  /// The key is derived from the batch's, so that a repeated batch repeats its calls under the same keys.
  private func idempotencyKey(of call: BatchPlan.Call, at place: Int) -> CallOptions.IdempotencyKey {
    if !call.idempotencyKey.isEmpty { return .given(call.idempotencyKey) }
    guard !key.isEmpty, call.method.descriptor.idempotency != .noSideEffects else { return .automatic }
    return .given("\(Digest(of: Array(key.utf8)).hex.prefix(40))/\(place)")
  }

  private func converted(
    _ count: Int, mustWait: Bool = false, _ work: @escaping @Sendable () throws(Status) -> [UInt8]
  ) async throws(Status) -> [UInt8] {
    count > Self.shortCount ? try await pool.run(for: holder, mustWait: mustWait, work) : try work()
  }

  private static func binary(_ json: [UInt8], _ method: Catalogue.Method) throws(Status) -> [UInt8] {
    do throws(CodecError) {
      return try method.input.binary(fromJSON: json.span)
    } catch {
      throw Status(.invalidArgument, rule: "bad_json", "\(error)")
    }
  }

  private static func json(_ answer: [UInt8], _ method: Catalogue.Method) throws(Status) -> [UInt8] {
    do throws(CodecError) {
      return try method.output.json(fromBinary: answer.span)
    } catch {
      throw Status(.internal, rule: "bad_answer", "the service's answer cannot be written as JSON: \(error)")
    }
  }
}
