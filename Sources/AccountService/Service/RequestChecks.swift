internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Checks identifiers that callers choose.
enum Names {
  static func check(_ name: String, _ field: String) throws(Refusal) {
    let isName =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
    guard isName else {
      let message = "\(field) is '\(name.shortened)'; it must be 1 to 64 letters a-z, digits, '_' or '-'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
  }
}

extension Caller {
  /// The caller's name, if the caller is a person who has signed in.
  func person() throws(Refusal) -> String {
    guard isPerson else { throw Refusal(.denied, "no_person", "this is for a person who has signed in") }
    return actor
  }
}

/// The data that calls of these services touch, by which the caller's rights are checked.
enum AccountData {
  /// The caller's own account or, for those who may reach it, everything of the tenant: accounts belong to no study.
  static let own: ServiceDatabase.Lookup<AccessTarget> = { _, gate in account(of: gate.callerName) }

  static func account(of person: String) -> AccessTarget { AccessTarget(study: .all, site: .all, subject: person) }
}

/// An attempt that is counted as wrong before it is checked.
struct CountedAttempt: Sendable {
  let places: [AttemptPlace]
  fileprivate let before: [Guesses]
  fileprivate let tenant: Tenant
}

extension AccountParts {
  /// Counts an attempt at these places before it is checked. Throws during the delay of one of them.
  func begin(_ places: [AttemptPlace], _ context: CallContext) async throws -> CountedAttempt {
    let beginning = try await data.change(context, of: AccountData.own) { transaction, caller, _ in
      (try attempts.begin(places, transaction), caller.tenant)
    }
    let wait: Duration
    switch beginning.0 {
    case .counted(let before): return CountedAttempt(places: places, before: before, tenant: beginning.1)
    case .waits(let rest): wait = rest
    }
    let seconds = max(1, (wait.wholeMilliseconds + 999) / 1000)
    throw Refusal(
      .exhausted, "too_many_attempts", "too many wrong ones were given; the next may be given in \(seconds) seconds",
      details: [SignInDelay(delay: ProtobufDuration(.seconds(seconds)))])
  }

  /// Runs work between counting an attempt and its check. If the work fails, nothing was checked, so the attempt is
  /// taken back.
  func unchecked<Value: Sendable>(
    _ attempt: CountedAttempt, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch {
      await takeBack(attempt)
      throw error
    }
  }

  /// Takes back an attempt that was not checked, or was right. It does so in a task of its own, which is not cancelled
  /// with the call: a call that timed out or was cancelled is the usual reason.
  func takeBack(_ attempt: CountedAttempt) async {
    let scope = data.database.scope(attempt.tenant)
    let work = Task {
      try await scope.write { transaction in
        try attempts.takeBack(attempt.places, counted: attempt.before, transaction)
      }
    }
    // If the database cannot be reached either, the attempt stays counted, as after a crash.
    _ = await work.result
  }
}
