internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage

/// What ends by itself: onboardings, codes, sessions, revocations.
struct AccountExpiry: Sendable {
  private let parts: AccountParts

  /// An item is recognised for as long as a grant could bring it again.
  private static let itemsLast = SettingsRules.longestUpload + .seconds(30 * 86_400)

  init(_ parts: AccountParts) {
    self.parts = parts
  }

  func run() async throws {
    let lifetime = parts.tokens.lifetimes.longest
    for tenant in try await parts.data.database.tenants() {
      let scope = parts.data.database.scope(tenant)
      while try await endSome(in: scope) {}
      var isMore = true
      while isMore { isMore = try await scope.write { try DeviceName.moveSome($0) } }
      isMore = true
      while isMore {
        isMore = try await scope.write { transaction in
          try ItemStore.forget(before: transaction.now + (.zero - Self.itemsLast), transaction)
        }
      }
      try await scope.write { transaction in
        try OfflineVerifierStore.forget(before: transaction.now + (.zero - Self.itemsLast), transaction)
        try ChangeStore.forget(before: transaction.now + .seconds(-90 * 86_400), transaction)
        try AttemptStore.forget(before: transaction.now + .seconds(-30 * 86_400), transaction)
        try CodeStore.forget(before: transaction.now + .seconds(-86_400), transaction)
        try SessionStore.forget(before: transaction.now + .seconds(-90 * 86_400), transaction)
        try RevocationStore.forget(before: transaction.now + (.zero - lifetime), transaction)
        try APIKeyStore.forget(before: transaction.now + .seconds(-90 * 86_400), transaction)
      }
    }
  }

  /// Ends some of the onboardings whose time is over; false when none is left.
  private func endSome(in scope: Scope) async throws -> Bool {
    try await scope.write { transaction in
      let (open, _) = try OnboardingStore.open(try PageRequest(size: 100), transaction)
      let due = open.filter { $0.expiresAt <= transaction.now }
      for onboarding in due {
        var onboarding = onboarding
        try OnboardingStore.end(&onboarding, as: .ended, transaction)
        try transaction.note(
          .onboardingEnded, by: "system", person: onboarding.personID, device: onboarding.deviceID, note: "expired")
      }
      return due.count == 100
    }
  }
}
