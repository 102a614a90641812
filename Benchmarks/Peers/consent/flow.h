/* What ConsentService asks of its database while one person walks the bench's flow, statement by statement, as data: the bare loops over
 * SQLite and PostgreSQL run it alike. Sealing, hashing, messages and the bus are left out; the bytes written are as many as the service's.
 *
 * Each letter of `values` is a parameter: T tenant, C caller, K the call's key, I session, S subject, R record, D document, F flow, N now,
 * V the session's version, W the version before, E the event's number, 0 zero, 1 one, and bytes of a usual size: h 32, k 72, e 150, s 700,
 * r 900, a 2000, p 3500. */
#ifndef ASSENT_CONSENT_FLOW_H
#define ASSENT_CONSENT_FLOW_H

struct statement {
  const char *sql, *values;
};

static const char *const tables[] = {
  "CREATE TABLE flows (tenant TEXT NOT NULL, id TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, id))",
  "CREATE TABLE versions (tenant TEXT NOT NULL, document_id TEXT NOT NULL, version BIGINT NOT NULL, state BIGINT NOT NULL,"
  " body BYTES NOT NULL, PRIMARY KEY (tenant, document_id, version))",
  "CREATE TABLE sessions (tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, site_id TEXT NOT NULL, subject_id TEXT NOT NULL,"
  " flow_id TEXT NOT NULL, flow_version BIGINT NOT NULL, documents BYTES NOT NULL, locale TEXT NOT NULL, device_id TEXT NOT NULL,"
  " test BIGINT NOT NULL, version BIGINT NOT NULL, outcome BIGINT NOT NULL, step_id TEXT NOT NULL, started_ms BIGINT NOT NULL,"
  " expires_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id))",
  "CREATE INDEX sessions_by_subject ON sessions (tenant, subject_id, started_ms, id)",
  "CREATE TABLE records (tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, site_id TEXT NOT NULL, subject_id TEXT NOT NULL,"
  " session_id TEXT NOT NULL, document_id TEXT NOT NULL, document_version BIGINT NOT NULL, state BIGINT NOT NULL, decided_ms BIGINT NOT NULL,"
  " test BIGINT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, id))",
  "CREATE INDEX records_by_subject ON records (tenant, subject_id, decided_ms, id)",
  "CREATE INDEX records_by_session ON records (tenant, session_id, decided_ms, id)",
  "CREATE INDEX records_by_study ON records (tenant, study_id, test, decided_ms, id)",
  "CREATE INDEX records_by_state ON records (tenant, study_id, test, state, decided_ms, id)",
  "CREATE INDEX records_by_version ON records (tenant, document_id, document_version, test, decided_ms, id)",
  "CREATE TABLE record_entries (tenant TEXT NOT NULL, record_id TEXT NOT NULL, sequence BIGINT NOT NULL, body BYTES NOT NULL,"
  " PRIMARY KEY (tenant, record_id, sequence))",
  "CREATE TABLE shown (tenant TEXT NOT NULL, hash TEXT NOT NULL, content BYTES NOT NULL, PRIMARY KEY (tenant, hash))",
  "CREATE TABLE tasks (tenant TEXT NOT NULL, record_id TEXT NOT NULL, body BYTES NOT NULL, PRIMARY KEY (tenant, record_id))",
  "CREATE TABLE deadlines (tenant TEXT NOT NULL, kind BIGINT NOT NULL, id TEXT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (tenant, kind, id))",
  "CREATE INDEX deadlines_by_time ON deadlines (tenant, at_ms, kind, id)",
  "CREATE TABLE counts (tenant TEXT NOT NULL, document_id TEXT NOT NULL, name BIGINT NOT NULL, amount BIGINT NOT NULL,"
  " PRIMARY KEY (tenant, document_id, name))",
  "CREATE TABLE vault_tenants (tenant TEXT NOT NULL, version BIGINT NOT NULL, wrapped BYTES NOT NULL, PRIMARY KEY (tenant, version))",
  "CREATE TABLE vault_subjects (tenant TEXT NOT NULL, subject TEXT NOT NULL, version BIGINT, wrapped BYTES, created_ms BIGINT NOT NULL,"
  " erased_ms BIGINT, PRIMARY KEY (tenant, subject))",
  "CREATE TABLE vault_items (tenant TEXT NOT NULL, subject TEXT NOT NULL, item TEXT NOT NULL, sealed BYTES NOT NULL, changed_ms BIGINT NOT NULL,"
  " PRIMARY KEY (tenant, subject, item))",
  "CREATE TABLE retention (tenant TEXT NOT NULL, subject TEXT NOT NULL, policy TEXT NOT NULL, since_ms BIGINT NOT NULL,"
  " PRIMARY KEY (tenant, subject, policy))",
  "CREATE TABLE idempotency (tenant TEXT NOT NULL, caller TEXT NOT NULL, key TEXT NOT NULL, subject TEXT, version BIGINT, sealed BYTES NOT NULL,"
  " created_ms BIGINT NOT NULL, expires_ms BIGINT NOT NULL, PRIMARY KEY (tenant, caller, key))",
  "CREATE INDEX idempotency_by_expiry ON idempotency (expires_ms)",
  "CREATE INDEX idempotency_by_subject ON idempotency (tenant, subject)",
  "CREATE TABLE jobs (tenant TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, payload BYTES NOT NULL, state BIGINT NOT NULL,"
  " due_ms BIGINT NOT NULL, attempts BIGINT NOT NULL, created_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id))",
  "CREATE INDEX jobs_by_due ON jobs (state, due_ms)",
  "CREATE TABLE event_heads (tenant TEXT NOT NULL, last BIGINT NOT NULL, last_ms BIGINT NOT NULL, chain BYTES NOT NULL, PRIMARY KEY (tenant))",
  "CREATE TABLE events (tenant TEXT NOT NULL, sequence BIGINT NOT NULL, stream TEXT NOT NULL, type TEXT NOT NULL, payload BYTES NOT NULL,"
  " at_ms BIGINT NOT NULL, chain BYTES NOT NULL, PRIMARY KEY (tenant, sequence))",
  "CREATE INDEX events_by_stream ON events (tenant, stream, sequence)",
  0,
};

#define FIND_KEY {"SELECT subject, version, sealed FROM idempotency WHERE tenant = ? AND caller = ? AND key = ? AND expires_ms > ?", "TCKN"}
#define KEEP_ANSWER \
  {"SELECT version, wrapped FROM vault_tenants WHERE tenant = ? AND version > 0 ORDER BY version DESC LIMIT 1", "T"}, \
  {"INSERT INTO idempotency (tenant, caller, key, version, sealed, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)" \
   " ON CONFLICT (tenant, caller, key) DO UPDATE SET sealed = excluded.sealed", "TCK1aNN"}
#define BEGIN_EVENTS {"SELECT last, last_ms, chain FROM event_heads WHERE tenant = ? FOR UPDATE", "T"}
#define EVENT {"INSERT INTO events (tenant, sequence, stream, type, payload, at_ms, chain) VALUES (?, ?, ?, ?, ?, ?, ?)", "TESCeNh"}
#define END_EVENTS {"UPDATE event_heads SET last = ?, last_ms = ?, chain = ? WHERE tenant = ?", "ENhT"}
#define SUBJECT_KEY {"SELECT version, wrapped, erased_ms FROM vault_subjects WHERE tenant = ? AND subject = ?", "TS"}
#define LOCKED_KEY {"SELECT version, wrapped, erased_ms FROM vault_subjects WHERE tenant = ? AND subject = ? FOR UPDATE", "TS"}
#define TENANT_KEY {"SELECT version, wrapped FROM vault_tenants WHERE tenant = ? AND version = ?", "T1"}
#define PUT_ITEM(id, size) \
  {"INSERT INTO vault_items (tenant, subject, item, sealed, changed_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant, subject, item)" \
   " DO UPDATE SET sealed = excluded.sealed, changed_ms = excluded.changed_ms", "TS" id size "N"}
#define VERSION_STATE {"SELECT state FROM versions WHERE tenant = ? AND document_id = ? AND version = ?", "TD1"}
#define RECORDS_OF_SESSION {"SELECT id FROM records WHERE tenant = ? AND session_id = ? ORDER BY decided_ms, id", "TI"}
#define RECORDS_OF_SUBJECT {"SELECT body FROM records WHERE tenant = ? AND subject_id = ? ORDER BY decided_ms, id", "TS"}
#define COUNT \
  {"INSERT INTO counts (tenant, document_id, name, amount) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, document_id, name)" \
   " DO UPDATE SET amount = counts.amount + excluded.amount", "TD01"}
#define RETAIN \
  {"INSERT INTO retention (tenant, subject, policy, since_ms) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, subject, policy)" \
   " DO UPDATE SET since_ms = excluded.since_ms WHERE retention.since_ms <> excluded.since_ms", "TSF1"}
#define ENTRY {"INSERT INTO record_entries (tenant, record_id, sequence, body) VALUES (?, ?, ?, ?)", "TREe"}

/* StartSession. */
static const struct statement start[] = {
  FIND_KEY,
  {"SELECT body FROM flows WHERE tenant = ? AND id = ?", "TF"},
  {"SELECT body FROM flows WHERE tenant = ? AND id = ?", "TF"},
  VERSION_STATE, VERSION_STATE,
  LOCKED_KEY,
  {"SELECT version, wrapped FROM vault_tenants WHERE tenant = ? AND version > 0 ORDER BY version DESC LIMIT 1", "T"},
  {"INSERT INTO vault_subjects (tenant, subject, version, wrapped, created_ms) VALUES (?, ?, ?, ?, ?)", "TS1kN"},
  LOCKED_KEY,
  {"INSERT INTO sessions (tenant, id, study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version,"
   " outcome, step_id, started_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "TIFFSF1hFF010FNN"},
  LOCKED_KEY, PUT_ITEM("I", "s"),
  {"INSERT INTO deadlines (tenant, kind, id, at_ms) VALUES (?, ?, ?, ?)", "T1IN"},
  COUNT, LOCKED_KEY, RETAIN, RECORDS_OF_SESSION, KEEP_ANSWER, BEGIN_EVENTS, EVENT, EVENT, END_EVENTS,
  {0, 0},
};

/* ActOnSession, at every screen. */
#define ACT_BEGINS \
  FIND_KEY, \
  {"SELECT study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version, started_ms, expires_ms" \
   " FROM sessions WHERE tenant = ? AND id = ?", "TI"}, \
  SUBJECT_KEY, TENANT_KEY, {"SELECT sealed FROM vault_items WHERE tenant = ? AND subject = ? AND item = ?", "TSI"}, VERSION_STATE, \
  {"UPDATE sessions SET locale = ?, device_id = ?, version = ?, outcome = ?, step_id = ?, expires_ms = ?" \
   " WHERE tenant = ? AND id = ? AND version = ?", "FFV0FNTIW"}, \
  LOCKED_KEY, PUT_ITEM("I", "s")

static const struct statement act[] = {
  ACT_BEGINS, RECORDS_OF_SESSION, KEEP_ANSWER, BEGIN_EVENTS, EVENT, END_EVENTS,
  {0, 0},
};

/* The action that leaves the review: the record is made, and the session ends. */
static const struct statement decide[] = {
  ACT_BEGINS,
  {"INSERT INTO records (tenant, id, study_id, site_id, subject_id, session_id, document_id, document_version, state, decided_ms, test, body)"
   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state", "TRFFSID11N0r"},
  COUNT, ENTRY, ENTRY, ENTRY, LOCKED_KEY, PUT_ITEM("R", "e"),
  {"INSERT INTO shown (tenant, hash, content) VALUES (?, ?, ?) ON CONFLICT (tenant, hash) DO NOTHING", "TFp"},
  {"DELETE FROM tasks WHERE tenant = ? AND record_id = ?", "TR"},
  RECORDS_OF_SUBJECT,
  {"INSERT INTO jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "TRFh0N0N"},
  {"DELETE FROM deadlines WHERE tenant = ? AND kind = ? AND id = ?", "T1I"},
  SUBJECT_KEY,
  {"SELECT id FROM sessions WHERE tenant = ? AND subject_id = ? AND outcome = 0 LIMIT 1", "TS"},
  RECORDS_OF_SUBJECT, LOCKED_KEY, RETAIN, RECORDS_OF_SESSION, KEEP_ANSWER,
  BEGIN_EVENTS, EVENT, EVENT, EVENT, EVENT, EVENT, END_EVENTS,
  {0, 0},
};

/* A start, then as many calls as the walk makes, one of which decides. */
static const struct statement *const calls[] = {start, act, act, act, act, act, act, act, act, act, act, act, act, decide, act, 0};

#define LONGEST_CALL 48
#define MOST_VALUES 16

static long session_number, session_version, event_number;

static inline int bytes_of(char letter) {
  switch (letter) {
  case 'h': return 32;
  case 'k': return 72;
  case 'e': return 150;
  case 's': return 700;
  case 'r': return 900;
  case 'a': return 2000;
  case 'p': return 3500;
  default: return 0;
  }
}

static inline int is_number(char letter) { return strchr("NVWE01", letter) != NULL; }

static inline long number_of(char letter, long now) {
  switch (letter) {
  case 'N': return now;
  case 'V': return session_version + 1;
  case 'W': return session_version;
  case 'E': return ++event_number;
  default: return letter - '0';
  }
}

/* Texts are as long as the service's identifiers. */
static inline void text_of(char letter, char *text, size_t size) {
  switch (letter) {
  case 'T': snprintf(text, size, "bench"); return;
  case 'C': snprintf(text, size, "app"); return;
  case 'D': snprintf(text, size, "bench-study"); return;
  case 'F': snprintf(text, size, "twelve"); return;
  case 'K': snprintf(text, size, "key-%022ld-%08ld", session_number, session_version); return;
  default: snprintf(text, size, "%c-%034ld", letter, session_number); return;
  }
}

#endif
