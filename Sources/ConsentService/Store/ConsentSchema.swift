internal import ServicePolicy
package import Storage
internal import Webhooks

/// ConsentService's tables. Their unencrypted columns reveal nothing about a person: names, birth dates, answers,
/// scores, reasons, images, scans and the texts of apps' own screens are in the vault.
package enum ConsentSchema {
  package static let migrations = [
    Migration(
      1, "consent",
      """
      CREATE TABLE studies (tenant TEXT NOT NULL, id TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, id));
      CREATE TABLE sites (
        tenant TEXT NOT NULL, study_id TEXT NOT NULL, id TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, study_id, id));
      CREATE TABLE text_versions (
        tenant TEXT NOT NULL, version BIGINT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, version));
      {append-only} text_versions;
      CREATE TABLE pending_texts (
        tenant TEXT NOT NULL, version BIGINT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, version));
      CREATE TABLE invitations (
        tenant TEXT NOT NULL, code TEXT NOT NULL, body BYTES NOT NULL, revoked BIGINT NOT NULL,
        session_id TEXT NOT NULL, PRIMARY KEY (tenant, code));
      CREATE TABLE documents (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, id));
      CREATE INDEX documents_by_study ON documents (tenant, study_id, id);
      CREATE TABLE document_versions (
        tenant TEXT NOT NULL, document_id TEXT NOT NULL, version BIGINT NOT NULL, state BIGINT NOT NULL,
        reconsent BIGINT NOT NULL, reconsent_by_ms BIGINT NOT NULL, texts BIGINT NOT NULL, purposes TEXT NOT NULL,
        pending BIGINT NOT NULL, version_hash TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, document_id, version));
      CREATE TABLE assets (
        tenant TEXT NOT NULL, hash TEXT NOT NULL, kind BIGINT NOT NULL, data BYTES NOT NULL,
        PRIMARY KEY (tenant, hash));
      {append-only} assets;
      CREATE TABLE flows (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, id));
      CREATE INDEX flows_by_study ON flows (tenant, study_id, id);
      CREATE TABLE flow_versions (
        tenant TEXT NOT NULL, flow_id TEXT NOT NULL, version BIGINT NOT NULL, state BIGINT NOT NULL,
        purposes TEXT NOT NULL, version_hash TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, flow_id, version));
      CREATE TABLE sessions (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, site_id TEXT NOT NULL,
        subject_id TEXT NOT NULL, flow_id TEXT NOT NULL, flow_version BIGINT NOT NULL, documents BYTES NOT NULL,
        locale TEXT NOT NULL, device_id TEXT NOT NULL, test BIGINT NOT NULL, version BIGINT NOT NULL,
        outcome BIGINT NOT NULL, step_id TEXT NOT NULL, started_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL,
        holder TEXT NOT NULL, assistant TEXT NOT NULL, assistance BIGINT NOT NULL, invitation TEXT NOT NULL,
        PRIMARY KEY (tenant, id));
      CREATE INDEX sessions_by_subject ON sessions (tenant, subject_id, started_ms, id);
      CREATE TABLE guardians (
        tenant TEXT NOT NULL, study_id TEXT NOT NULL, subject_id TEXT NOT NULL, guardian_id TEXT NOT NULL,
        body BYTES NOT NULL, PRIMARY KEY (tenant, study_id, subject_id, guardian_id));
      CREATE INDEX guardians_by_guardian ON guardians (tenant, guardian_id, study_id, subject_id);
      CREATE INDEX guardians_by_subject ON guardians (tenant, subject_id);
      CREATE TABLE records (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, site_id TEXT NOT NULL,
        subject_id TEXT NOT NULL, session_id TEXT NOT NULL, document_id TEXT NOT NULL,
        document_version BIGINT NOT NULL, version_hash TEXT NOT NULL, state BIGINT NOT NULL, decided_ms BIGINT NOT NULL,
        test BIGINT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, id));
      CREATE INDEX records_by_subject ON records (tenant, subject_id, decided_ms, id);
      CREATE INDEX records_by_session ON records (tenant, session_id, decided_ms, id);
      CREATE INDEX records_by_study ON records (tenant, study_id, test, decided_ms, id);
      CREATE INDEX records_by_state ON records (tenant, study_id, test, state, decided_ms, id);
      CREATE INDEX records_by_version ON records (tenant, document_id, document_version, test, decided_ms, id);
      CREATE TABLE decisions (
        tenant TEXT NOT NULL, subject_id TEXT NOT NULL, number BIGINT NOT NULL, study_id TEXT NOT NULL,
        body BYTES NOT NULL, PRIMARY KEY (tenant, subject_id, number));
      {append-only} decisions;
      CREATE TABLE record_entries (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, sequence BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id, sequence));
      {append-only} record_entries;
      CREATE TABLE shown (
        tenant TEXT NOT NULL, hash TEXT NOT NULL, content BYTES NOT NULL, PRIMARY KEY (tenant, hash));
      {append-only} shown;
      CREATE TABLE signing_tasks (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, signature_id TEXT NOT NULL, study_id TEXT NOT NULL,
        since_ms BIGINT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, record_id, signature_id));
      CREATE INDEX signing_tasks_by_study ON signing_tasks (tenant, study_id, since_ms, record_id, signature_id);
      CREATE TABLE field_pins (
        tenant TEXT NOT NULL, field_id TEXT NOT NULL, revision BIGINT NOT NULL, place BYTES NOT NULL,
        pinned_ms BIGINT NOT NULL, PRIMARY KEY (tenant, field_id));
      {append-only} field_pins;
      CREATE TABLE deadlines (
        tenant TEXT NOT NULL, kind BIGINT NOT NULL, id TEXT NOT NULL, at_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, kind, id));
      CREATE INDEX deadlines_by_time ON deadlines (tenant, at_ms, kind, id);
      CREATE TABLE version_counts (
        tenant TEXT NOT NULL, document_id TEXT NOT NULL, version BIGINT NOT NULL, test BIGINT NOT NULL,
        name TEXT NOT NULL, slot BIGINT NOT NULL, amount BIGINT NOT NULL,
        PRIMARY KEY (tenant, document_id, version, test, name, slot)) {clustered};
      CREATE TABLE concerns (
        tenant TEXT NOT NULL, study_id TEXT NOT NULL, test BIGINT NOT NULL, kind BIGINT NOT NULL,
        decided_ms BIGINT NOT NULL, record_id TEXT NOT NULL,
        PRIMARY KEY (tenant, study_id, test, kind, decided_ms, record_id)) {clustered};
      CREATE TABLE signed_copies (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, code TEXT NOT NULL, state BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id));
      CREATE UNIQUE INDEX signed_copies_by_code ON signed_copies (tenant, code);
      CREATE TABLE participant_copies (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, code TEXT NOT NULL, state BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id));
      CREATE UNIQUE INDEX participant_copies_by_code ON participant_copies (tenant, code);
      CREATE TABLE study_invitations (
        tenant TEXT NOT NULL, study_id TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (tenant, study_id, code));
      CREATE TABLE drawn_files (
        tenant TEXT NOT NULL, hash TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, hash));
      {append-only} drawn_files;
      CREATE TABLE asked_erasures (
        tenant TEXT NOT NULL, subject TEXT NOT NULL, asked_ms BIGINT NOT NULL, PRIMARY KEY (tenant, subject));
      \(MergedAccounts.table)
      \(GuessStore.table)
      \(WebhookSchema.tables)
      \(FollowedStore.table)
      """)
  ]

  package static let statements =
    StudyStore.statements + InvitationStore.statements + GuessStore.statements
    + DocumentStore.statements + FileStore.statements + FlowStore.tables.statements + SessionStore.statements
    + RecordStore.statements + DecisionStore.statements + ConsentBasis.statements + GuardianStore.statements
    + ConsentRelations.statements + StudyPurposes.statements
    + RecordSearch.statements + ConcernStore.statements
    + DeadlineStore.statements + CountStore.statements + PinStore.statements + TextsStore.statements
    + CopyStore.statements + WebhookSchema.statements + FollowedStore.statements + MergedAccounts.statements
    + AskedErasures.statements

  package static let all = Schema(
    name: "consent", migrations: migrations, statements: statements, coverage: coverage)
}
