internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage

/// The periodic task that ends expired onboardings and deletes old codes, sessions, revocations and the like.
struct AccountExpiry: Sendable {
  private let parts: AccountParts

  /// How long an item of an offline queue is remembered: as long as a device with an upload grant could send it again.
  private static let itemsLast = SettingsRules.longestUpload + .seconds(30 * 86_400)

  init(_ parts: AccountParts) {
    self.parts = parts
  }

  func run() async throws {
    try await parts.data.database.forEachTenant { try await run(in: $0) }
  }

  /// Runs each piece of work by itself: one that fails, because of a legal hold or an altered row, stops no other.
  private func run(in scope: Scope) async throws {
    var work = SeparateWork()
    try await endOnboardings(in: scope, &work)
    try await work.attempt {
      var isMore = true
      while isMore {
        isMore = try await scope.write { transaction in
          try ItemStore.forget(before: transaction.now + (.zero - Self.itemsLast), transaction)
        }
      }
    }
    let expiries: [(age: Duration, forget: Forgetting)] = [
      (Self.itemsLast, { try OfflineVerifierStore.forget(before: $0, $1) }),
      (.days(90), { try ChangeStore.forget(before: $0, $1) }),
      (GuessStore.memory, { try GuessStore.forget(before: $0, $1) }),
      (.days(1), { try CodeStore.forget(before: $0, $1) }),
      (.days(90), { try SessionStore.forget(before: $0, $1) }),
      (parts.tokens.lifetimes.longest, { try RevocationStore.forget(before: $0, $1) }),
      (.days(90), { try APIKeyStore.forget(before: $0, $1) }),
    ]
    for (age, forget) in expiries {
      try await work.attempt {
        try await scope.write { transaction in try forget(transaction.now + (.zero - age), transaction) }
      }
    }
    try work.finish()
  }

  /// Deletes the rows of one table that are older than a time.
  private typealias Forgetting = @Sendable (Instant, Transaction) throws -> Void

  /// Ends expired onboardings, each in a transaction of its own.
  private func endOnboardings(in scope: Scope, _ work: inout SeparateWork) async throws {
    var token = ""
    repeat {
      let wanted = try PageRequest(size: 100, token: token)
      let (open, next, now) = try await scope.read { snapshot in
        let (open, next) = try OnboardingStore.open(wanted, snapshot)
        return (open, next, snapshot.now)
      }
      let due = open.filter { $0.expiresAt <= now }
      for onboarding in due { try await work.attempt { try await end(onboarding, in: scope) } }
      token = due.count == open.count ? next : ""
    } while !token.isEmpty
  }

  private func end(_ onboarding: StoredOnboarding, in scope: Scope) async throws {
    do {
      try await scope.write { transaction in
        var onboarding = onboarding
        try OnboardingStore.end(&onboarding, as: .ended, transaction)
        try transaction.note(
          .onboardingEnded, by: "system", person: onboarding.personID, device: onboarding.deviceID, note: "expired")
      }
    } catch let refusal as Refusal where refusal.kind == .aborted {
      // Somebody else has ended it meanwhile.
    }
  }
}
