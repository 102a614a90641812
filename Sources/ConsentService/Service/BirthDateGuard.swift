internal import RPC
internal import ServicePolicy
internal import Storage

extension ServiceDatabase {
  /// Makes a call that may give a birth date. One that differs from the date on record is counted, and on record as a
  /// denied attempt, although the call itself changes nothing.
  ///
  /// - Parameter isTest: whether what was found is a test, whose dates are counted apart.
  func countingBirthDates<Thing: Touching, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Finding<Thing>,
    isTest: @escaping @Sendable (Thing) -> Bool = { _ in false }, _ call: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await call()
    } catch let refusal as Refusal where refusal.rule == BirthDateStore.otherRule {
      let touched = try await change(context, of: find) { transaction, _, thing in
        let touched = thing.touched.first
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
