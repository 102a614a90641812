internal import Base

/// Checks all of one tenant's data, in steps: its log with the rows to which the events commit and, with the master
/// key, what is sealed.
struct TenantCheck: Sendable {
  private(set) var log: LogReplay
  private(set) var vault: VaultCheck
  private let opensVault: Bool

  /// - Parameters:
  ///   - givenHeads: heads of this log that were kept elsewhere.
  ///   - trusted: keys one of which must have signed each head; if there are none, signatures are not checked.
  init(
    of tenant: Tenant, tables: CommittedTables, givenHeads: [SignedCheckpoint] = [], trusted: [VerifyingKey] = [],
    opensVault: Bool
  ) throws(DatabaseError) {
    log = try LogReplay(of: tenant, tables: tables, givenHeads: givenHeads, trusted: trusted, opensKeys: opensVault)
    vault = VaultCheck()
    self.opensVault = opensVault
  }

  var tenant: Tenant { log.tenant }
  var isDone: Bool { log.isDone && (vault.isDone || !opensVault) }
  var problems: [LogProblem] { log.found.problems + vault.found.problems }

  /// Takes the next step. Returns how many things of which kind were looked at so far, for who watches.
  @discardableResult
  mutating func step(_ snapshot: Snapshot) throws(DatabaseError) -> (count: Int, what: String) {
    guard log.isDone else { return try log.step(snapshot) }
    try vault.step(snapshot)
    return (vault.found.subjects, "subjects are opened, now those of tenant '\(tenant)'")
  }
}
