import Base
import Storage
import StorageTestKit

/// A service whose rows grant something: grants, to which Storage's own events commit, and papers with events of the
/// service's.
enum GrantStore {
  static let tenant = Tenant.named("a")
  static let key = EvidenceKey.example()

  private static let migrations = [
    Migration(
      1, "grants",
      """
      CREATE TABLE grants (tenant TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (tenant, id));
      CREATE TABLE papers (tenant TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (tenant, id));
      """)
  ]

  private static let insert = Statement(
    "grant.put",
    "INSERT INTO grants (tenant, id, role) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET role = excluded.role")
  private static let delete = Statement("grant.remove", "DELETE FROM grants WHERE tenant = {tenant} AND id = ?")
  private static let write = Statement(
    "paper.put",
    "INSERT INTO papers (tenant, id, state) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state")

  static func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(
      named: "grants", migrations: migrations, statements: [insert, delete, write],
      coverage: [
        TableCoverage("grants", key: ["id"], committed: ["role"]),
        TableCoverage("papers", key: ["id"], by: "paper", committed: ["state"]),
      ])
  }

  static func signer(_ test: TestDatabase) -> EvidenceSigner {
    EvidenceSigner(test.database, key: key, installation: "test")
  }

  static func grant(_ role: String, _ id: String, _ transaction: Transaction) throws {
    try transaction.run(insert, id, role)
  }

  static func revoke(_ id: String, _ transaction: Transaction) throws { try transaction.run(delete, id) }

  static func put(_ state: String, _ id: String, _ transaction: Transaction) throws {
    try transaction.run(write, id, state)
    transaction.append("paper", Array(state.utf8), to: id)
  }

  /// What a service does before it hands a grant out as proof.
  static func checkGrant(_ id: String, _ scope: Scope) async throws {
    try await scope.read { try $0.verify([CommittedRow("grants", id, in: "storage.rows")]) }
  }

  static func checkPaper(_ id: String, _ scope: Scope) async throws {
    try await scope.read { try $0.verify([CommittedRow("papers", id, in: id)]) }
  }
}
