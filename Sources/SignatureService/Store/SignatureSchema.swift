internal import ServicePolicy
package import Storage

/// SignatureService's tables, and all its statements.
package enum SignatureSchema {
  package static let all = Schema(
    name: "signature", migrations: migrations, statements: statements, coverage: coverage)

  package static let migrations = [
    Migration(
      1, "fields and signatures",
      """
      CREATE TABLE fields (
        tenant TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, study TEXT NOT NULL, site TEXT NOT NULL,
        session TEXT NOT NULL, record TEXT NOT NULL, document TEXT NOT NULL, document_version BIGINT NOT NULL,
        signature TEXT NOT NULL, version BIGINT NOT NULL, state BIGINT NOT NULL, closed BIGINT NOT NULL, pinned BIGINT NOT NULL, woken BIGINT NOT NULL, revisions BIGINT NOT NULL, current TEXT,
        begun_strokes BIGINT NOT NULL, kept_strokes BIGINT NOT NULL, points BIGINT NOT NULL, dropped BIGINT NOT NULL,
        dropped_before BIGINT NOT NULL, sight BIGINT NOT NULL, last_points BIGINT NOT NULL, last_kept BIGINT NOT NULL, outside BIGINT NOT NULL,
        last_time DOUBLE PRECISION NOT NULL, blocks BIGINT NOT NULL, emptied_version BIGINT NOT NULL,
        created_ms BIGINT NOT NULL, changed_ms BIGINT NOT NULL, holder TEXT NOT NULL,
        lent_to TEXT NOT NULL, drawn_on TEXT NOT NULL, PRIMARY KEY (tenant, id));
      CREATE INDEX fields_by_session ON fields (tenant, session, id);
      CREATE INDEX fields_by_subject ON fields (tenant, subject, id);
      CREATE TABLE signatures (
        tenant TEXT NOT NULL, id TEXT NOT NULL, field TEXT NOT NULL, revision BIGINT NOT NULL, kind BIGINT NOT NULL,
        hash TEXT NOT NULL, commitment TEXT, strokes BIGINT NOT NULL, points BIGINT NOT NULL, dropped BIGINT NOT NULL,
        saved_ms BIGINT NOT NULL, device_ms BIGINT NOT NULL, utc_offset BIGINT NOT NULL, device TEXT NOT NULL,
        saved_by TEXT NOT NULL, replaced_ms BIGINT, mark BIGINT NOT NULL, source TEXT NOT NULL,
        source_field TEXT NOT NULL, source_revision BIGINT NOT NULL, drawn_on TEXT NOT NULL, PRIMARY KEY (tenant, id),
        UNIQUE (tenant, field, revision),
        FOREIGN KEY (tenant, field) REFERENCES fields (tenant, id));
      CREATE INDEX signatures_by_hash ON signatures (tenant, hash, id);
      \(MergedAccounts.table)
      """)
  ]

  package static let statements = FieldStatements.all + RevisionStatements.all + MergedAccounts.statements
}

enum FieldStatements {
  private static let columns =
    "id, subject, study, site, session, record, document, document_version, signature, version, state, closed, pinned, "
    + "woken, revisions, current, begun_strokes, kept_strokes, points, dropped, dropped_before, sight, "
    + "last_points, last_kept, outside, last_time, blocks, emptied_version, holder, lent_to, drawn_on"

  static let insert = Statement(
    "field.insert",
    "INSERT INTO fields (tenant, \(columns), created_ms, changed_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      + "?, ?)")
  static let find = Statement("field.find", "SELECT \(columns) FROM fields WHERE tenant = {tenant} AND id = ?")
  static let lock = Statement(
    "field.lock", "SELECT \(columns) FROM fields WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  static let reference = Statement(
    "field.reference",
    "SELECT subject, study, site, session, record, document, document_version, signature, holder, lent_to "
      + "FROM fields "
      + "WHERE tenant = {tenant} AND id = ?")
  static let ofSubject = Statement(
    "field.of-subject", "SELECT id, version, state FROM fields WHERE tenant = {tenant} AND subject = ? ORDER BY id")
  static let ofSession = Statement(
    "field.of-session",
    "SELECT \(columns) FROM fields WHERE tenant = {tenant} AND session = ? AND {after id} ORDER BY id LIMIT {limit}")
  static let update = Statement(
    "field.update",
    "UPDATE fields SET version = ?, state = ?, closed = ?, pinned = ?, woken = ?, revisions = ?, current = ?, "
      + "begun_strokes = ?, kept_strokes = ?, points = ?, dropped = ?, dropped_before = ?, "
      + "sight = ?, last_points = ?, last_kept = ?, outside = ?, last_time = ?, blocks = ?, emptied_version = ?, "
      + "lent_to = ?, drawn_on = ?, changed_ms = ? WHERE tenant = {tenant} AND id = ?"
  )

  static let all = [insert, find, lock, reference, ofSubject, ofSession, update]
}

enum RevisionStatements {
  private static let columns =
    "id, field, revision, kind, hash, commitment, strokes, points, dropped, saved_ms, device_ms, utc_offset, device, "
    + "saved_by, replaced_ms, mark, source, source_field, source_revision, drawn_on"

  static let insert = Statement(
    "revision.insert",
    "INSERT INTO signatures (tenant, \(columns)) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let find = Statement(
    "revision.find", "SELECT \(columns) FROM signatures WHERE tenant = {tenant} AND id = ?")
  static let ofHash = Statement(
    "revision.of-hash",
    "SELECT \(columns) FROM signatures WHERE tenant = {tenant} AND hash = ? ORDER BY id LIMIT 1")
  static let ofField = Statement(
    "revision.of-field",
    "SELECT \(columns) FROM signatures WHERE tenant = {tenant} AND field = ? AND {after revision} "
      + "ORDER BY revision LIMIT {limit}")
  static let allOfField = Statement(
    "revision.all-of-field",
    "SELECT \(columns) FROM signatures WHERE tenant = {tenant} AND field = ? ORDER BY revision")
  static let numbered = Statement(
    "revision.numbered", "SELECT \(columns) FROM signatures WHERE tenant = {tenant} AND field = ? AND revision = ?")
  /// Sets when a revision was replaced. Re-entering replaces it; NULL makes it the field's signature again, when it is
  /// signed with.
  static let replace = Statement(
    "revision.replace", "UPDATE signatures SET replaced_ms = ? WHERE tenant = {tenant} AND id = ?")

  static let all = [insert, find, ofHash, ofField, allOfField, numbered, replace]
}
