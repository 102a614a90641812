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
        tenant TEXT NOT NULL, code TEXT NOT NULL, body BYTES NOT NULL, used BIGINT NOT NULL,
        PRIMARY KEY (tenant, code));
      CREATE TABLE documents (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, id));
      CREATE INDEX documents_by_study ON documents (tenant, study_id, id);
      CREATE TABLE document_versions (
        tenant TEXT NOT NULL, document_id TEXT NOT NULL, version BIGINT NOT NULL, state BIGINT NOT NULL,
        reconsent BIGINT NOT NULL, reconsent_by_ms BIGINT NOT NULL, texts BIGINT NOT NULL,
        body BYTES NOT NULL, PRIMARY KEY (tenant, document_id, version));
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
        body BYTES NOT NULL, PRIMARY KEY (tenant, flow_id, version));
      CREATE TABLE sessions (
        tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, site_id TEXT NOT NULL,
        subject_id TEXT NOT NULL, flow_id TEXT NOT NULL, flow_version BIGINT NOT NULL, documents BYTES NOT NULL,
        locale TEXT NOT NULL, device_id TEXT NOT NULL, test BIGINT NOT NULL, version BIGINT NOT NULL,
        outcome BIGINT NOT NULL, step_id TEXT NOT NULL, started_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL,
        holder TEXT NOT NULL, assistant TEXT NOT NULL, assistance BIGINT NOT NULL,
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
        document_version BIGINT NOT NULL, state BIGINT NOT NULL, decided_ms BIGINT NOT NULL, test BIGINT NOT NULL,
        body BYTES NOT NULL, PRIMARY KEY (tenant, id));
      CREATE INDEX records_by_subject ON records (tenant, subject_id, decided_ms, id);
      CREATE INDEX records_by_session ON records (tenant, session_id, decided_ms, id);
      CREATE INDEX records_by_study ON records (tenant, study_id, test, decided_ms, id);
      CREATE INDEX records_by_state ON records (tenant, study_id, test, state, decided_ms, id);
      CREATE INDEX records_by_version ON records (tenant, document_id, document_version, test, decided_ms, id);
      CREATE TABLE record_entries (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, sequence BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id, sequence));
      {append-only} record_entries;
      CREATE TABLE shown (
        tenant TEXT NOT NULL, hash TEXT NOT NULL, content_type TEXT NOT NULL, content BYTES NOT NULL,
        PRIMARY KEY (tenant, hash));
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
      """),
    Migration(
      2, "signed copies",
      """
      CREATE TABLE signed_copies (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, code TEXT NOT NULL, state BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id));
      CREATE UNIQUE INDEX signed_copies_by_code ON signed_copies (tenant, code);
      """),
    Migration(
      3, "invitations of a study",
      """
      CREATE TABLE study_invitations (
        tenant TEXT NOT NULL, study_id TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (tenant, study_id, code));
      """),
    WebhookSchema.migration(4),
    // Earlier releases had a reminder for each record. Its absence told that the record's subject had come of age.
    Migration(
      5, "reminders of coming of age by study",
      """
      INSERT INTO deadlines (tenant, kind, id, at_ms)
        SELECT r.tenant, 5, r.study_id, MIN(d.at_ms) FROM deadlines d
        JOIN records r ON r.tenant = d.tenant AND r.id = d.id WHERE d.kind = 3 GROUP BY r.tenant, r.study_id;
      DELETE FROM deadlines WHERE kind = 3;
      """),
    // Copies that earlier releases sealed are looked at once: proofs that were not added then may be available now.
    Migration(
      6, "proofs of earlier copies",
      """
      INSERT INTO deadlines (tenant, kind, id, at_ms)
        SELECT tenant, 6, record_id, 0 FROM signed_copies WHERE state = 3;
      """),
    Migration(
      7, "pages of files",
      """
      CREATE TABLE drawn_files (
        tenant TEXT NOT NULL, hash TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, hash));
      {append-only} drawn_files;
      """),
    WebhookSchema.trials(8),
    Migration(
      9, "participants' copies",
      """
      CREATE TABLE participant_copies (
        tenant TEXT NOT NULL, record_id TEXT NOT NULL, code TEXT NOT NULL, state BIGINT NOT NULL, body BYTES NOT NULL,
        PRIMARY KEY (tenant, record_id));
      CREATE UNIQUE INDEX participant_copies_by_code ON participant_copies (tenant, code);
      """),
    MergedAccounts.migration(10), AskedErasures.migration(11),
    // Earlier releases did not end records that a version's date or a stopped version had ended, and did not begin the
    // retention periods of merged accounts. These reminders make `Expiry` look at each of them.
    Migration(
      12, "records that had ended unnoticed",
      """
      INSERT INTO deadlines (tenant, kind, id, at_ms)
        SELECT tenant, 4, document_id || '/' || version, reconsent_by_ms FROM document_versions
        WHERE reconsent = 3 AND state IN (3, 4)
        ON CONFLICT (tenant, kind, id) DO NOTHING;
      INSERT INTO deadlines (tenant, kind, id, at_ms)
        SELECT tenant, 8, document_id || '/' || version, 0 FROM document_versions WHERE state = 5;
      INSERT INTO deadlines (tenant, kind, id, at_ms)
        SELECT tenant, 9, ended, 0 FROM merged_accounts UNION SELECT tenant, 9, staying, 0 FROM merged_accounts;
      """),
    // Earlier releases removed a consent's reminder when its end was postponed. The new reminders have a kind of their
    // own: a process of an earlier release that still runs would end every consent whose reminder of kind 2 is due.
    Migration(
      13, "consents without a reminder",
      """
      INSERT INTO deadlines (tenant, kind, id, at_ms) SELECT tenant, 10, id, 0 FROM records WHERE state IN (1, 2);
      """),
  ]

  package static let statements =
    StudyStore.statements + DocumentStore.statements + FileStore.statements + FlowStore.statements
    + SessionStore.statements
    + RecordStore.statements + ConsentBasis.statements + GuardianStore.statements + ConsentRelations.statements
    + RecordSearch.statements
    + DeadlineStore.statements + CountStore.statements + PinStore.statements + TextsStore.statements
    + CopyStore.statements + WebhookSchema.statements + MergedAccounts.statements + AskedErasures.statements

  package static let all = Schema(
    name: "consent", migrations: migrations, statements: statements, coverage: coverage)
}
