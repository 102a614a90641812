internal import ServicePolicy
package import Storage

/// AccountService's tables. Their unencrypted columns reveal nothing about a person: profiles, pictures and the
/// verifiers of passcodes are in the vault.
package enum AccountSchema {
  package static let migrations = [
    Migration(
      1, "accounts",
      """
      CREATE TABLE settings (tenant TEXT NOT NULL, id TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, id));
      CREATE TABLE devices (
        tenant TEXT NOT NULL, id TEXT NOT NULL, public_key BYTES NOT NULL, secret BYTES NOT NULL,
        single_user BIGINT NOT NULL, current_person TEXT NOT NULL, registered_ms BIGINT NOT NULL,
        proved_ms BIGINT NOT NULL, wiped_ms BIGINT, places TEXT NOT NULL, PRIMARY KEY (tenant, id));
      CREATE INDEX devices_by_wipe ON devices (tenant, wiped_ms, id);
      CREATE TABLE people (
        tenant TEXT NOT NULL, id TEXT NOT NULL, locked BIGINT NOT NULL, merged_into TEXT NOT NULL,
        recovery BYTES NOT NULL, void_ms BIGINT NOT NULL, created_ms BIGINT NOT NULL, erased_ms BIGINT,
        PRIMARY KEY (tenant, id));
      CREATE INDEX people_by_merge ON people (tenant, merged_into, id);
      CREATE TABLE placements (
        tenant TEXT NOT NULL, device_id TEXT NOT NULL, person_id TEXT NOT NULL, must_change BIGINT NOT NULL,
        onboarded_ms BIGINT NOT NULL, last_ms BIGINT, PRIMARY KEY (tenant, device_id, person_id));
      CREATE INDEX placements_by_time ON placements (tenant, device_id, onboarded_ms, person_id);
      CREATE INDEX placements_by_person ON placements (tenant, person_id, device_id);
      CREATE TABLE onboardings (
        tenant TEXT NOT NULL, id TEXT NOT NULL, device_id TEXT NOT NULL, person_id TEXT NOT NULL,
        is_new BIGINT NOT NULL, state BIGINT NOT NULL, session_id TEXT NOT NULL, expires_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, id));
      CREATE INDEX onboardings_by_person ON onboardings (tenant, person_id, id);
      CREATE INDEX onboardings_by_expiry ON onboardings (tenant, expires_ms, id);
      CREATE TABLE codes (
        tenant TEXT NOT NULL, digest BYTES NOT NULL, person_id TEXT NOT NULL, new_person_id TEXT NOT NULL,
        device_id TEXT NOT NULL, maker TEXT NOT NULL, made_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL,
        used BIGINT NOT NULL, PRIMARY KEY (tenant, digest));
      CREATE INDEX codes_by_maker ON codes (tenant, maker, made_ms);
      CREATE INDEX codes_by_person ON codes (tenant, person_id);
      CREATE INDEX codes_by_new_person ON codes (tenant, new_person_id, digest);
      CREATE INDEX codes_by_expiry ON codes (tenant, expires_ms);
      \(GuessStore.table)
      CREATE TABLE sessions (
        tenant TEXT NOT NULL, id TEXT NOT NULL, person_id TEXT NOT NULL, device_id TEXT NOT NULL,
        refresh BYTES NOT NULL, started_ms BIGINT NOT NULL, used_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL,
        ended_ms BIGINT, PRIMARY KEY (tenant, id));
      CREATE INDEX sessions_by_person ON sessions (tenant, person_id, started_ms, id);
      CREATE INDEX sessions_by_device ON sessions (tenant, device_id, id);
      CREATE INDEX sessions_by_expiry ON sessions (tenant, expires_ms);
      CREATE TABLE roles (
        tenant TEXT NOT NULL, person_id TEXT NOT NULL, role TEXT NOT NULL, granted_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, person_id, role));
      CREATE TABLE revocations (
        tenant TEXT NOT NULL, kind BIGINT NOT NULL, id TEXT NOT NULL, before_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, kind, id));
      CREATE INDEX revocations_by_time ON revocations (tenant, before_ms, kind, id);
      CREATE TABLE change_heads (
        tenant TEXT NOT NULL, person_id TEXT NOT NULL, last BIGINT NOT NULL, floor BIGINT NOT NULL,
        PRIMARY KEY (tenant, person_id));
      CREATE TABLE changes (
        tenant TEXT NOT NULL, person_id TEXT NOT NULL, kind BIGINT NOT NULL, id TEXT NOT NULL,
        sequence BIGINT NOT NULL, first BIGINT NOT NULL, removed BIGINT NOT NULL, at_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, person_id, kind, id));
      CREATE INDEX changes_by_sequence ON changes (tenant, person_id, sequence);
      CREATE INDEX changes_by_age ON changes (tenant, removed, at_ms);
      CREATE TABLE followed (
        tenant TEXT NOT NULL, source TEXT NOT NULL, token TEXT NOT NULL, PRIMARY KEY (tenant, source));
      CREATE TABLE queue_items (
        tenant TEXT NOT NULL, device_id TEXT NOT NULL, id TEXT NOT NULL, person_id TEXT NOT NULL,
        state BIGINT NOT NULL, arrived_ms BIGINT NOT NULL, place BIGINT NOT NULL, settled_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, device_id, person_id, id));
      CREATE INDEX queue_items_by_person ON queue_items (tenant, person_id, state, arrived_ms, place, device_id, id);
      CREATE INDEX queue_items_by_age ON queue_items (tenant, state, settled_ms);
      CREATE TABLE waiting_work (
        tenant TEXT NOT NULL, device_id TEXT NOT NULL, person_id TEXT NOT NULL, rule TEXT NOT NULL,
        since_ms BIGINT NOT NULL, PRIMARY KEY (tenant, device_id, person_id));
      CREATE INDEX waiting_work_by_person ON waiting_work (tenant, person_id);
      CREATE TABLE api_keys (
        tenant TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, body BYTES NOT NULL, hash BYTES NOT NULL,
        previous_hash BYTES NOT NULL, revoked_ms BIGINT, PRIMARY KEY (tenant, id));
      CREATE INDEX api_keys_by_name ON api_keys (tenant, name);
      CREATE TABLE api_key_uses (
        tenant TEXT NOT NULL, id TEXT NOT NULL, used_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id));
      CREATE TABLE offline_verifiers (
        tenant TEXT NOT NULL, id TEXT NOT NULL, person_id TEXT NOT NULL, device_id TEXT NOT NULL,
        expires_ms BIGINT NOT NULL, revoked_ms BIGINT, PRIMARY KEY (tenant, id));
      CREATE INDEX offline_verifiers_by_person ON offline_verifiers (tenant, person_id, device_id);
      CREATE INDEX offline_verifiers_by_device ON offline_verifiers (tenant, device_id, expires_ms);
      CREATE TABLE offline_sign_ins (
        tenant TEXT NOT NULL, device_id TEXT NOT NULL, verifier_id TEXT NOT NULL, person_id TEXT NOT NULL,
        at_ms BIGINT NOT NULL, reported_ms BIGINT NOT NULL,
        PRIMARY KEY (tenant, device_id, verifier_id, person_id, at_ms));
      """)
  ]

  package static let statements =
    SettingsStore.statements + DeviceStore.statements + PersonStore.statements + PlacementStore.statements
    + OnboardingStore.statements + CodeStore.statements + GuessStore.statements + SessionStore.statements
    + RoleStore.statements + RevocationStore.statements + ChangeStore.statements + ItemStore.statements
    + APIKeyStore.statements + OfflineVerifierStore.statements + WaitingWorkStore.statements

  package static let all = Schema(
    name: "account", migrations: migrations, statements: statements, coverage: coverage)
}
