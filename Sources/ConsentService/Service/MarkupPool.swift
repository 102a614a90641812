internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy

/// Cleaned content of a call, with a list of what was removed from it.
struct Cleaned<Value: Sendable>: Sendable {
  let value: Value
  let removed: [SanitizerRemoval]
}

/// Reads and cleans markup before a transaction begins, on threads of its own whose callers take turns: one caller's
/// markup delays neither the database's writer nor other callers' markup for longer than a turn.
struct MarkupPool: Sendable {
  private let pool: FairPool

  /// - Parameter threads: how many threads clean texts of the usual size; large texts have a quarter as many besides.
  init(threads: Int = 2) {
    pool = FairPool(name: "markup", limits: FairLimits(threads: threads))
  }

  /// Does the work in the caller's turn: at first with a small budget and, if that does not suffice, with the full one
  /// in the queue of large texts.
  func clean<Value: Sendable>(
    _ context: CallContext, _ work: @escaping @Sendable (inout MarkupCleaner) throws -> Value
  ) async throws -> Cleaned<Value> {
    let waiting = FairPool.Waiting(freeingSlotOf: context)
    do {
      return try await pool.run(
        for: "\(context.identity.tenant)/\(context.identity.subject)", waiting: waiting
      ) {
        try Self.run(work, within: .light)
      } full: {
        guard let cleaned = try Self.run(work, within: MarkupBudget()) else {
          preconditionFailure("only a light budget leaves work undone")
        }
        return cleaned
      }
    } catch let refusal as FairRefusal {
      throw Self.refusal(refusal)
    }
  }

  /// nil when a light budget does not suffice.
  private static func run<Value>(
    _ work: (inout MarkupCleaner) throws -> Value, within budget: MarkupBudget
  ) throws -> Cleaned<Value>? {
    var cleaner = MarkupCleaner(budget: budget)
    do {
      let value = try work(&cleaner)
      return Cleaned(value: value, removed: cleaner.removed)
    } catch {
      if cleaner.wantsMore { return nil }
      throw error
    }
  }

  private static func refusal(_ refusal: FairRefusal) -> Refusal {
    switch refusal {
    case .callerWaits(let bound):
      Refusal(.exhausted, "caller_waits", "\(bound) texts of this caller wait to be read already, as many as may")
    case .allWait(let bound):
      Refusal(.exhausted, "all_wait", "\(bound) texts wait to be read already, as many as may")
    }
  }
}
