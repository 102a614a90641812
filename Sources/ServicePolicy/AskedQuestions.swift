package import Base
internal import CommonContract
public import RPC
internal import Storage
internal import Synchronization

extension ServiceDatabase {
  /// Records that a caller is answered a question about people that is asked again and again: one event in an hour for
  /// each caller, person and study, durable before this returns. Within that hour a further call writes nothing.
  ///
  /// - Returns: whether events were written. That takes time, in which what was read may have changed.
  public func noteQuestions(
    _ context: CallContext, about people: [AccessTarget], for purpose: String
  ) async throws -> Bool {
    let gate = try Gate(context, relations)
    let now = Clock.system.monotonic
    var seen: Set<AccessTarget> = []
    let told = people.filter { touched in
      seen.insert(touched).inserted && gate.caller.isOnRecord(reading: touched.subject ?? "")
        && !access.asked.isKnown(gate.caller, touched, at: now)
    }
    guard !told.isEmpty else { return false }
    try await database.scope(gate.tenant).write(within: context.patience) { transaction in
      for touched in told {
        var entry = TrailEntry(.read, by: gate.caller, through: gate.method, to: touched)
        (entry.capacity, entry.purpose) = (try gate.capacity(for: touched, transaction)?.rawValue ?? "", purpose)
        try transaction.note(entry)
      }
    }
    for touched in told { access.asked.note(gate.caller, touched, at: now) }
    return true
  }
}

/// Remembers which callers were answered about which people within the last hour, after that was recorded. If an entry
/// is dropped here, its event is only written once more.
package final class AskedQuestions: Sendable {
  static let length = Duration.seconds(3600)
  /// How many entries are kept, of a few dozen bytes each.
  static let limit = 200_000

  /// When each entry ends, by a hash of caller, person and study. The hash is seeded at random in each process, so that
  /// nobody can construct colliding names.
  private let ends = Mutex<[Int: MonotonicTime]>([:])

  package init() {}

  private static func place(_ caller: Caller, _ touched: AccessTarget) -> Int {
    var hasher = Hasher()
    hasher.combine(caller.tenant)
    hasher.combine(caller.keyHolder)
    hasher.combine(touched.study)
    hasher.combine(touched.subject)
    return hasher.finalize()
  }

  package func isKnown(_ caller: Caller, _ touched: AccessTarget, at now: MonotonicTime) -> Bool {
    let place = Self.place(caller, touched)
    return ends.withLock { ends in ends[place].map { now < $0 } ?? false }
  }

  package func note(_ caller: Caller, _ touched: AccessTarget, at now: MonotonicTime) {
    let place = Self.place(caller, touched)
    ends.withLock { ends in
      if ends.count >= Self.limit { ends = ends.filter { now < $0.value } }
      if ends.count >= Self.limit { ends.removeAll() }
      ends[place] = now + Self.length
    }
  }
}
