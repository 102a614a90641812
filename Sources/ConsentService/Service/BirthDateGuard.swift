internal import RPC
internal import ServicePolicy
internal import Storage

extension ServiceDatabase {
  /// Runs a call that may state a birth date. If the call is refused because its date differs from the one on record,
  /// the miss is counted and the attempt noted as denied, in a transaction after the refused one.
  ///
  /// - Parameter isTest: whether the thing found is a test, whose misses are counted apart.
  func countingBirthDates<Thing: AccessTargeted, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Lookup<Thing>,
    isTest: @escaping @Sendable (Thing) -> Bool = { _ in false }, _ call: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await call()
    } catch let refusal as Refusal where refusal.rule == BirthDateStore.otherRule {
      let touched = try await change(context, of: find) { transaction, _, thing in
        let touched = thing.accessTargets.first
        if let subject = touched?.subject.flatMap(Subject.init) {
          try BirthDateMisses.add(of: subject, isTest: isTest(thing), transaction)
        }
        return touched
      }
      try await recordAttempt(context, at: touched)
      throw refusal
    }
  }
}
