/// The SQL of the vault for one tenant.
enum VaultStatements {
  // MARK: Keys

  static let tenantKey = Statement(
    own: "storage.vault.tenant-key",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} AND version = ?")
  static let newestTenantKey = Statement(
    own: "storage.vault.newest-tenant-key",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} AND version > 0 "
      + "ORDER BY version DESC LIMIT 1 FOR SHARE")
  static let addTenantKey = Statement(
    own: "storage.vault.add-tenant-key",
    "INSERT INTO storage_vault_tenants (tenant, version, wrapped, master, created_ms) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, version) DO NOTHING")
  static let subject = Statement(
    own: "storage.vault.subject",
    "SELECT version, wrapped, erased_ms FROM storage_vault_subjects WHERE tenant = {tenant} AND subject = ?")
  static let erasedAmong = ListStatement(
    own: "storage.vault.erased-among",
    "SELECT subject FROM storage_vault_subjects "
      + "WHERE tenant = {tenant} AND subject IN {list} AND erased_ms IS NOT NULL")
  static let lockedSubject = Statement(
    own: "storage.vault.locked-subject",
    "SELECT version, wrapped, erased_ms FROM storage_vault_subjects WHERE tenant = {tenant} AND subject = ? FOR UPDATE")
  static let addSubject = Statement(
    own: "storage.vault.add-subject",
    "INSERT INTO storage_vault_subjects (tenant, subject, version, wrapped, created_ms) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
  static let rewrapSubject = Statement(
    own: "storage.vault.rewrap-subject",
    "UPDATE storage_vault_subjects SET version = ?, wrapped = ? WHERE tenant = {tenant} AND subject = ?")

  // MARK: Contents

  static let item = Statement(
    own: "storage.vault.item",
    "SELECT sealed FROM storage_vault_items WHERE tenant = {tenant} AND subject = ? AND item = ?")
  static let items = Statement(
    own: "storage.vault.items",
    "SELECT item, sealed FROM storage_vault_items WHERE tenant = {tenant} AND subject = ? ORDER BY item")
  static let putItem = Statement(
    own: "storage.vault.put-item",
    "INSERT INTO storage_vault_items (tenant, subject, item, sealed, changed_ms) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, subject, item) DO UPDATE SET sealed = excluded.sealed, changed_ms = excluded.changed_ms")
  static let removeItem = Statement(
    own: "storage.vault.remove-item",
    "DELETE FROM storage_vault_items WHERE tenant = {tenant} AND subject = ? AND item = ?")
  static let addCommitment = Statement(
    own: "storage.vault.add-commitment",
    "INSERT INTO storage_vault_commitments (tenant, id, subject, label, digest, sealed, created_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?)")
  static let commitment = Statement(
    own: "storage.vault.commitment",
    "SELECT subject, label, digest, sealed FROM storage_vault_commitments WHERE tenant = {tenant} AND id = ?")
  static let commitments = Statement(
    own: "storage.vault.commitments",
    "SELECT id, label, digest, sealed FROM storage_vault_commitments WHERE tenant = {tenant} AND subject = ?")
  static let resealCommitment = Statement(
    own: "storage.vault.reseal-commitment",
    "UPDATE storage_vault_commitments SET sealed = ? WHERE tenant = {tenant} AND id = ?")

  // MARK: Erasing

  static let eraseSubject = Statement(
    own: "storage.vault.erase-subject",
    "UPDATE storage_vault_subjects SET wrapped = NULL, version = NULL, erased_ms = ? "
      + "WHERE tenant = {tenant} AND subject = ?")
  static let eraseItems = Statement(
    own: "storage.vault.erase-items",
    "DELETE FROM storage_vault_items WHERE tenant = {tenant} AND subject = ?")
  static let eraseOpenings = Statement(
    own: "storage.vault.erase-openings",
    "UPDATE storage_vault_commitments SET sealed = NULL WHERE tenant = {tenant} AND subject = ?")
  static let eraseAnswers = Statement(
    own: "storage.vault.erase-answers",
    "DELETE FROM storage_idempotency WHERE tenant = {tenant} AND subject = ?")

  // MARK: Holds and retention

  static let placeHold = Statement(
    own: "storage.vault.place-hold",
    "INSERT INTO storage_vault_holds (tenant, id, subject, placed_by, placed_ms) VALUES ({tenant}, ?, ?, ?, ?)")
  static let liftHold = Statement(
    own: "storage.vault.lift-hold",
    "UPDATE storage_vault_holds SET lifted_by = ?, lifted_ms = ? "
      + "WHERE tenant = {tenant} AND id = ? AND lifted_ms IS NULL RETURNING subject")
  static let holds = Statement(
    own: "storage.vault.holds",
    "SELECT id FROM storage_vault_holds WHERE tenant = {tenant} AND subject = ? AND lifted_ms IS NULL")
  static let allHolds = Statement(
    own: "storage.vault.all-holds",
    "SELECT id, placed_by, placed_ms, lifted_by, lifted_ms FROM storage_vault_holds "
      + "WHERE tenant = {tenant} AND subject = ? ORDER BY placed_ms, id")
  static let setPolicy = Statement(
    own: "storage.vault.set-policy",
    "INSERT INTO storage_vault_policies (tenant, policy, keep_ms) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, policy) DO UPDATE SET keep_ms = excluded.keep_ms")
  static let retain = Statement(
    own: "storage.vault.retain",
    "INSERT INTO storage_vault_retention (tenant, subject, policy, since_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, subject, policy) DO UPDATE SET since_ms = excluded.since_ms "
      + "WHERE storage_vault_retention.since_ms <> excluded.since_ms")
  /// Finds the next subjects in order whose retention periods have all ended and on whom there is no hold.
  static let due = Statement(
    own: "storage.vault.due",
    """
    SELECT s.subject FROM storage_vault_subjects s
    WHERE s.tenant = {tenant} AND s.subject > ? AND s.erased_ms IS NULL
      AND EXISTS (SELECT 1 FROM storage_vault_retention r WHERE r.tenant = {tenant} AND r.subject = s.subject)
      AND NOT EXISTS (
        SELECT 1 FROM storage_vault_retention r
        JOIN storage_vault_policies p ON p.tenant = {tenant} AND p.policy = r.policy
        WHERE r.tenant = {tenant} AND r.subject = s.subject AND r.since_ms + p.keep_ms > ?)
      AND NOT EXISTS (
        SELECT 1 FROM storage_vault_holds h
        WHERE h.tenant = {tenant} AND h.subject = s.subject AND h.lifted_ms IS NULL)
    ORDER BY s.subject LIMIT ?
    """)
}
