/// Storage's own tables, which every service's database has besides its own.
enum OwnTables {
  /// The table that records migrations, and so is created before any of them.
  static let history = list(
    """
    CREATE TABLE IF NOT EXISTS storage_migrations (
      history TEXT NOT NULL, version BIGINT NOT NULL, name TEXT NOT NULL, sql TEXT NOT NULL,
      checksum BYTES NOT NULL, applied_ms BIGINT NOT NULL, PRIMARY KEY (history, version))
    """)

  static let migrations = [
    Migration(
      ownTables: 1, "storage",
      """
      CREATE TABLE storage_log_keys (
        tenant TEXT NOT NULL, wrapped BYTES NOT NULL, master TEXT NOT NULL, created_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant));
      CREATE TABLE storage_event_heads (
        tenant TEXT NOT NULL, last BIGINT NOT NULL, last_ms BIGINT NOT NULL, chain BYTES NOT NULL, code BYTES,
        PRIMARY KEY (tenant));
      CREATE TABLE storage_events (
        tenant TEXT NOT NULL, sequence BIGINT NOT NULL, stream TEXT NOT NULL, type TEXT NOT NULL,
        payload BYTES NOT NULL, at_ms BIGINT NOT NULL, changes BYTES, chain BYTES NOT NULL, code BYTES,
        PRIMARY KEY (tenant, sequence))
      {clustered};
      CREATE INDEX storage_events_by_stream ON storage_events (tenant, stream, sequence);
      {append-only} storage_events;
      CREATE TABLE storage_lists (
        tenant TEXT NOT NULL, list TEXT NOT NULL, count BIGINT NOT NULL, chain BYTES NOT NULL, code BYTES NOT NULL,
        PRIMARY KEY (tenant, list));
      CREATE TABLE storage_trees (tenant TEXT NOT NULL, size BIGINT NOT NULL, PRIMARY KEY (tenant));
      CREATE TABLE storage_tree_nodes (
        tenant TEXT NOT NULL, level BIGINT NOT NULL, position BIGINT NOT NULL, hash BYTES NOT NULL,
        PRIMARY KEY (tenant, level, position))
      {clustered};
      {append-only} storage_tree_nodes;
      CREATE TABLE storage_signed_heads (
        tenant TEXT NOT NULL, size BIGINT NOT NULL, checkpoint TEXT NOT NULL, signed_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, size));
      {append-only} storage_signed_heads;
      CREATE TABLE storage_shapes (name TEXT NOT NULL, columns TEXT NOT NULL, PRIMARY KEY (name));
      {append-only} storage_shapes;
      CREATE TABLE storage_vault_tenants (
        tenant TEXT NOT NULL, version BIGINT NOT NULL, wrapped BYTES NOT NULL, master TEXT NOT NULL,
        created_ms BIGINT NOT NULL, PRIMARY KEY (tenant, version));
      CREATE TABLE storage_vault_subjects (
        tenant TEXT NOT NULL, subject TEXT NOT NULL, version BIGINT, wrapped BYTES, created_ms BIGINT NOT NULL,
        erased_ms BIGINT, PRIMARY KEY (tenant, subject),
        FOREIGN KEY (tenant, version) REFERENCES storage_vault_tenants (tenant, version));
      CREATE INDEX storage_vault_subjects_by_key ON storage_vault_subjects (tenant, version);
      CREATE TABLE storage_vault_items (
        tenant TEXT NOT NULL, subject TEXT NOT NULL, item TEXT NOT NULL, sealed BYTES NOT NULL,
        changed_ms BIGINT NOT NULL, PRIMARY KEY (tenant, subject, item),
        FOREIGN KEY (tenant, subject) REFERENCES storage_vault_subjects (tenant, subject));
      CREATE TABLE storage_vault_commitments (
        tenant TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, label TEXT NOT NULL, digest BYTES NOT NULL,
        sealed BYTES, created_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id),
        FOREIGN KEY (tenant, subject) REFERENCES storage_vault_subjects (tenant, subject));
      CREATE INDEX storage_vault_commitments_by_subject ON storage_vault_commitments (tenant, subject);
      CREATE TABLE storage_vault_index (
        tenant TEXT NOT NULL, label TEXT NOT NULL, subject TEXT NOT NULL, token BYTES NOT NULL,
        version BIGINT NOT NULL, sealed BYTES NOT NULL, PRIMARY KEY (tenant, label, subject),
        FOREIGN KEY (tenant, subject) REFERENCES storage_vault_subjects (tenant, subject),
        FOREIGN KEY (tenant, version) REFERENCES storage_vault_tenants (tenant, version));
      CREATE INDEX storage_vault_index_by_token ON storage_vault_index (tenant, label, token);
      CREATE INDEX storage_vault_index_by_subject ON storage_vault_index (tenant, subject, label);
      CREATE INDEX storage_vault_index_by_key ON storage_vault_index (tenant, version, label, subject);
      CREATE TABLE storage_vault_holds (
        tenant TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, placed_by TEXT NOT NULL,
        placed_ms BIGINT NOT NULL, lifted_by TEXT, lifted_ms BIGINT, PRIMARY KEY (tenant, id),
        FOREIGN KEY (tenant, subject) REFERENCES storage_vault_subjects (tenant, subject));
      CREATE INDEX storage_vault_holds_by_subject ON storage_vault_holds (tenant, subject);
      CREATE TABLE storage_vault_policies (
        tenant TEXT NOT NULL, policy TEXT NOT NULL, keep_ms BIGINT NOT NULL, PRIMARY KEY (tenant, policy));
      CREATE TABLE storage_vault_retention (
        tenant TEXT NOT NULL, subject TEXT NOT NULL, policy TEXT NOT NULL, since_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, subject, policy),
        FOREIGN KEY (tenant, subject) REFERENCES storage_vault_subjects (tenant, subject),
        FOREIGN KEY (tenant, policy) REFERENCES storage_vault_policies (tenant, policy));
      CREATE TABLE storage_idempotency (
        tenant TEXT NOT NULL, caller TEXT NOT NULL, key TEXT NOT NULL, subject TEXT, version BIGINT,
        sealed BYTES NOT NULL, created_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, caller, key),
        FOREIGN KEY (tenant, version) REFERENCES storage_vault_tenants (tenant, version));
      CREATE INDEX storage_idempotency_by_expiry ON storage_idempotency (expires_ms);
      CREATE INDEX storage_idempotency_by_subject ON storage_idempotency (tenant, subject);
      CREATE TABLE storage_jobs (
        tenant TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, payload BYTES NOT NULL, code BYTES,
        state BIGINT NOT NULL, due_ms BIGINT NOT NULL, attempts BIGINT NOT NULL, faults BIGINT NOT NULL DEFAULT 0,
        lease TEXT, lease_ms BIGINT, failure TEXT, created_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id));
      CREATE INDEX storage_jobs_by_kind ON storage_jobs (kind, state, due_ms);
      CREATE TABLE storage_periodic_tasks (
        name TEXT NOT NULL, due_ms BIGINT NOT NULL, lease TEXT, lease_ms BIGINT, done_ms BIGINT, failure TEXT,
        PRIMARY KEY (name));
      """)
  ]

  static let appliedMigrations = Statement(
    acrossTenants: "storage.migrations.applied",
    "SELECT version, name, checksum, sql FROM storage_migrations WHERE history = ? ORDER BY version")

  static let recordMigration = Statement(
    acrossTenants: "storage.migrations.record",
    "INSERT INTO storage_migrations (history, version, name, sql, checksum, applied_ms) VALUES (?, ?, ?, ?, ?, ?)")

  private static func list(_ sql: String) -> [DefinitionStatement] {
    do {
      return try DefinitionStatement.list(sql, everyTableHasTenant: false)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
