/* The statements that ConsentService executes while one person walks the bench's flow, as data: the bare loops over
 * SQLite and PostgreSQL both run it. It follows a trace of the service (scripts/bench consent --trace FOLDER;
 * docs/decisions/0064): the tables with their keys and indexes, the statements in their order, the number of commits.
 * Sealing, hashing, messages and the bus are left out.
 *
 * The trace is of 2026-11-20. Since then the service executes more than this, so the loop has less to do than it
 * should. A new trace has to add at least
 * - to each event its columns `changes` (hashes of the rows that it commits to) and `code` (32 bytes), to the end of
 *   the log its `code`, to jobs their `code` and `faults`;
 * - the RETURNING clauses with which the service reads back the rows that an event commits to;
 * - what it reads to compare rows with the log before it answers from them: the end of the log with the head of the map
 *   of rows, the map's pages, events of a row's stream, and the tenant's key of the log;
 * - the columns `holder`, `assistant` and `assistance` of sessions;
 * - the triggers of tables to which rows are only added (events, entries of records, what was shown), which refuse
 *   changes of their rows;
 * - a job that replaces one with the same id whose work has failed, where here the first one stays.
 *
 * Before including this, each engine defines NUMBER, BYTES, TABLE, CLUSTERED, FOR_UPDATE and FOR_SHARE, and as OUTCOME
 * the statement that begins every transaction.
 *
 * Each letter of `values` is a parameter: T tenant, C caller, K the call's key, I session, S subject, R record,
 * D document, F flow, N now, V the session's version, W the version before, E the event's number, 0 1 2 themselves,
 * _ null; the other letters are bytes, as many as the service writes there: see bytes_of. */
#ifndef ASSENT_CONSENT_FLOW_H
#define ASSENT_CONSENT_FLOW_H

struct statement {
  const char *sql, *values;
};

#define TEXT_ "TEXT NOT NULL"
#define NUMBER_ NUMBER " NOT NULL"
#define BYTES_ BYTES " NOT NULL"

static const char *const tables[] = {
  "CREATE TABLE flows (tenant " TEXT_ ", id " TEXT_ ", study_id " TEXT_ ", body " BYTES_ ", PRIMARY KEY (tenant, id))" TABLE,
  "CREATE INDEX flows_by_study ON flows (tenant, study_id, id)",
  "CREATE TABLE flow_versions (tenant " TEXT_ ", flow_id " TEXT_ ", version " NUMBER_ ", state " NUMBER_ ", body " BYTES_ ","
  " PRIMARY KEY (tenant, flow_id, version))" TABLE,
  "CREATE TABLE documents (tenant " TEXT_ ", id " TEXT_ ", study_id " TEXT_ ", body " BYTES_ ", PRIMARY KEY (tenant, id))" TABLE,
  "CREATE INDEX documents_by_study ON documents (tenant, study_id, id)",
  "CREATE TABLE document_versions (tenant " TEXT_ ", document_id " TEXT_ ", version " NUMBER_ ", state " NUMBER_ ", reconsent " NUMBER_ ","
  " reconsent_by_ms " NUMBER_ ", body " BYTES_ ", PRIMARY KEY (tenant, document_id, version))" TABLE,
  "CREATE TABLE sessions (tenant " TEXT_ ", id " TEXT_ ", study_id " TEXT_ ", site_id " TEXT_ ", subject_id " TEXT_ ", flow_id " TEXT_ ","
  " flow_version " NUMBER_ ", documents " BYTES_ ", locale " TEXT_ ", device_id " TEXT_ ", test " NUMBER_ ", version " NUMBER_ ","
  " outcome " NUMBER_ ", step_id " TEXT_ ", started_ms " NUMBER_ ", expires_ms " NUMBER_ ", PRIMARY KEY (tenant, id))" TABLE,
  "CREATE INDEX sessions_by_subject ON sessions (tenant, subject_id, started_ms, id)",
  "CREATE TABLE records (tenant " TEXT_ ", id " TEXT_ ", study_id " TEXT_ ", site_id " TEXT_ ", subject_id " TEXT_ ", session_id " TEXT_ ","
  " document_id " TEXT_ ", document_version " NUMBER_ ", state " NUMBER_ ", decided_ms " NUMBER_ ", test " NUMBER_ ", body " BYTES_ ","
  " PRIMARY KEY (tenant, id))" TABLE,
  "CREATE INDEX records_by_subject ON records (tenant, subject_id, decided_ms, id)",
  "CREATE INDEX records_by_session ON records (tenant, session_id, decided_ms, id)",
  "CREATE INDEX records_by_study ON records (tenant, study_id, test, decided_ms, id)",
  "CREATE INDEX records_by_state ON records (tenant, study_id, test, state, decided_ms, id)",
  "CREATE INDEX records_by_version ON records (tenant, document_id, document_version, test, decided_ms, id)",
  "CREATE TABLE record_entries (tenant " TEXT_ ", record_id " TEXT_ ", sequence " NUMBER_ ", body " BYTES_ ","
  " PRIMARY KEY (tenant, record_id, sequence))" TABLE,
  "CREATE TABLE shown (tenant " TEXT_ ", hash " TEXT_ ", content_type " TEXT_ ", content " BYTES_ ", PRIMARY KEY (tenant, hash))" TABLE,
  "CREATE TABLE signing_tasks (tenant " TEXT_ ", record_id " TEXT_ ", signature_id " TEXT_ ", study_id " TEXT_ ", since_ms " NUMBER_ ","
  " body " BYTES_ ", PRIMARY KEY (tenant, record_id, signature_id))" TABLE,
  "CREATE INDEX signing_tasks_by_study ON signing_tasks (tenant, study_id, since_ms, record_id, signature_id)",
  "CREATE TABLE deadlines (tenant " TEXT_ ", kind " NUMBER_ ", id " TEXT_ ", at_ms " NUMBER_ ", PRIMARY KEY (tenant, kind, id))" TABLE,
  "CREATE INDEX deadlines_by_time ON deadlines (tenant, at_ms, kind, id)",
  "CREATE TABLE version_counts (tenant " TEXT_ ", document_id " TEXT_ ", version " NUMBER_ ", test " NUMBER_ ", name " TEXT_ ","
  " slot " NUMBER_ ", amount " NUMBER_ ", PRIMARY KEY (tenant, document_id, version, test, name, slot))" CLUSTERED,
  "CREATE TABLE vault_tenants (tenant " TEXT_ ", version " NUMBER_ ", wrapped " BYTES_ ", master " TEXT_ ", created_ms " NUMBER_ ","
  " PRIMARY KEY (tenant, version))" TABLE,
  "CREATE TABLE vault_subjects (tenant " TEXT_ ", subject " TEXT_ ", version " NUMBER ", wrapped " BYTES ", created_ms " NUMBER_ ","
  " erased_ms " NUMBER ", PRIMARY KEY (tenant, subject), FOREIGN KEY (tenant, version) REFERENCES vault_tenants (tenant, version))" TABLE,
  "CREATE INDEX vault_subjects_by_key ON vault_subjects (tenant, version)",
  "CREATE TABLE vault_items (tenant " TEXT_ ", subject " TEXT_ ", item " TEXT_ ", sealed " BYTES_ ", changed_ms " NUMBER_ ","
  " PRIMARY KEY (tenant, subject, item), FOREIGN KEY (tenant, subject) REFERENCES vault_subjects (tenant, subject))" TABLE,
  "CREATE TABLE vault_policies (tenant " TEXT_ ", policy " TEXT_ ", keep_ms " NUMBER_ ", PRIMARY KEY (tenant, policy))" TABLE,
  "CREATE TABLE vault_retention (tenant " TEXT_ ", subject " TEXT_ ", policy " TEXT_ ", since_ms " NUMBER_ ","
  " PRIMARY KEY (tenant, subject, policy), FOREIGN KEY (tenant, subject) REFERENCES vault_subjects (tenant, subject),"
  " FOREIGN KEY (tenant, policy) REFERENCES vault_policies (tenant, policy))" TABLE,
  "CREATE TABLE idempotency (tenant " TEXT_ ", caller " TEXT_ ", key " TEXT_ ", subject TEXT, version " NUMBER ", sealed " BYTES_ ","
  " created_ms " NUMBER_ ", expires_ms " NUMBER_ ", PRIMARY KEY (tenant, caller, key),"
  " FOREIGN KEY (tenant, version) REFERENCES vault_tenants (tenant, version))" TABLE,
  "CREATE INDEX idempotency_by_expiry ON idempotency (expires_ms)",
  "CREATE INDEX idempotency_by_subject ON idempotency (tenant, subject)",
  "CREATE TABLE jobs (tenant " TEXT_ ", id " TEXT_ ", kind " TEXT_ ", payload " BYTES_ ", state " NUMBER_ ", due_ms " NUMBER_ ","
  " attempts " NUMBER_ ", lease TEXT, lease_ms " NUMBER ", failure TEXT, created_ms " NUMBER_ ", PRIMARY KEY (tenant, id))" TABLE,
  "CREATE INDEX jobs_by_due ON jobs (state, due_ms)",
  "CREATE TABLE event_heads (tenant " TEXT_ ", last " NUMBER_ ", last_ms " NUMBER_ ", chain " BYTES_ ", PRIMARY KEY (tenant))" TABLE,
  "CREATE TABLE events (tenant " TEXT_ ", sequence " NUMBER_ ", stream " TEXT_ ", type " TEXT_ ", payload " BYTES_ ", at_ms " NUMBER_ ","
  " chain " BYTES_ ", PRIMARY KEY (tenant, sequence))" CLUSTERED,
  "CREATE INDEX events_by_stream ON events (tenant, stream, sequence)",
  0,
};

#define SUBJECT_KEY {"SELECT version, wrapped, erased_ms FROM vault_subjects WHERE tenant = ? AND subject = ?", "TS"}
#define LOCKED_KEY {"SELECT version, wrapped, erased_ms FROM vault_subjects WHERE tenant = ? AND subject = ?" FOR_UPDATE, "TS"}
#define TENANT_KEY {"SELECT version, wrapped, master FROM vault_tenants WHERE tenant = ? AND version = ?", "T1"}
#define FIND_KEY OUTCOME \
  {"SELECT subject, version, sealed FROM idempotency WHERE tenant = ? AND caller = ? AND key = ? AND expires_ms > ?", "TCKN"}
#define KEEP_ANSWER(size) \
  LOCKED_KEY, \
  {"INSERT INTO idempotency (tenant, caller, key, subject, version, sealed, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)" \
   " ON CONFLICT (tenant, caller, key) DO UPDATE SET subject = excluded.subject, version = excluded.version, sealed = excluded.sealed," \
   " created_ms = excluded.created_ms, expires_ms = excluded.expires_ms WHERE idempotency.expires_ms <= excluded.created_ms", "TCKS_" size "NN"}
#define BEGIN_EVENTS {"SELECT last, last_ms, chain FROM event_heads WHERE tenant = ?" FOR_UPDATE, "T"}
#define EVENT {"INSERT INTO events (tenant, sequence, stream, type, payload, at_ms, chain) VALUES (?, ?, ?, ?, ?, ?, ?)", "TESCeNh"}
#define END_EVENTS {"UPDATE event_heads SET last = ?, last_ms = ?, chain = ? WHERE tenant = ?", "ENhT"}
#define PUT_ITEM(id, size) \
  {"INSERT INTO vault_items (tenant, subject, item, sealed, changed_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant, subject, item)" \
   " DO UPDATE SET sealed = excluded.sealed, changed_ms = excluded.changed_ms", "TS" id size "N"}
#define VERSION_STATE {"SELECT state FROM document_versions WHERE tenant = ? AND document_id = ? AND version = ?", "TD1"}
#define RECORDS_OF_SESSION {"SELECT id FROM records WHERE tenant = ? AND session_id = ? ORDER BY decided_ms, id", "TI"}
#define RECORDS_OF_SUBJECT {"SELECT body FROM records WHERE tenant = ? AND subject_id = ? ORDER BY decided_ms, id", "TS"}
#define COUNT \
  {"INSERT INTO version_counts (tenant, document_id, version, test, name, slot, amount) VALUES (?, ?, ?, ?, ?, ?, ?)" \
   " ON CONFLICT (tenant, document_id, version, test, name, slot) DO UPDATE SET amount = version_counts.amount + excluded.amount", \
   "TD10F11"}
#define RETAIN \
  {"INSERT INTO vault_retention (tenant, subject, policy, since_ms) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, subject, policy)" \
   " DO UPDATE SET since_ms = excluded.since_ms WHERE vault_retention.since_ms <> excluded.since_ms", "TSF1"}
#define ENTRY(number) {"INSERT INTO record_entries (tenant, record_id, sequence, body) VALUES (?, ?, ?, ?)", "TR" number "i"}

/* StartSession. */
static const struct statement start[] = {
  FIND_KEY,
  {"SELECT body FROM flows WHERE tenant = ? AND id = ?", "TF"},
  {"SELECT body FROM flow_versions WHERE tenant = ? AND flow_id = ? AND version = ?", "TF1"},
  {"SELECT body FROM documents WHERE tenant = ? AND id = ?", "TD"},
  VERSION_STATE,
  {"INSERT INTO sessions (tenant, id, study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version,"
   " outcome, step_id, started_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "TIFFSF1dFF010FNN"},
  LOCKED_KEY,
  {"SELECT version, wrapped, master FROM vault_tenants WHERE tenant = ? AND version > 0 ORDER BY version DESC LIMIT 1" FOR_SHARE, "T"},
  {"INSERT INTO vault_subjects (tenant, subject, version, wrapped, created_ms) VALUES (?, ?, ?, ?, ?)"
   " ON CONFLICT (tenant, subject) DO NOTHING", "TS1kN"},
  LOCKED_KEY, PUT_ITEM("I", "s"),
  {"INSERT INTO deadlines (tenant, kind, id, at_ms) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, kind, id) DO UPDATE SET at_ms = excluded.at_ms",
   "T1IN"},
  COUNT, LOCKED_KEY, RETAIN, RECORDS_OF_SESSION, KEEP_ANSWER("a"), BEGIN_EVENTS, EVENT, EVENT, END_EVENTS,
  {0, 0},
};

/* ActOnSession, at every screen. */
#define LOAD \
  FIND_KEY, \
  {"SELECT study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version, started_ms, expires_ms" \
   " FROM sessions WHERE tenant = ? AND id = ?", "TI"}, \
  SUBJECT_KEY, TENANT_KEY, {"SELECT sealed FROM vault_items WHERE tenant = ? AND subject = ? AND item = ?", "TSI"}
#define STORE \
  {"UPDATE sessions SET locale = ?, device_id = ?, version = ?, outcome = ?, step_id = ?, expires_ms = ?" \
   " WHERE tenant = ? AND id = ? AND version = ?", "FFV0FNTIW"}, \
  LOCKED_KEY, PUT_ITEM("I", "s")
#define ANSWER(size) RECORDS_OF_SESSION, KEEP_ANSWER(size), BEGIN_EVENTS, EVENT

static const struct statement act[] = {
  LOAD, VERSION_STATE, STORE, ANSWER("a"), END_EVENTS,
  {0, 0},
};

/* The same, where the answer shows the review. */
static const struct statement reading[] = {
  LOAD, VERSION_STATE, STORE, ANSWER("b"), END_EVENTS,
  {0, 0},
};

/* The action that agrees: it stores what was shown. */
static const struct statement agree[] = {
  LOAD, VERSION_STATE, STORE,
  {"INSERT INTO shown (tenant, hash, content_type, content) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, hash) DO NOTHING", "TFCp"},
  ANSWER("a"), END_EVENTS,
  {0, 0},
};

/* The action that leaves the review: it makes the record and ends the session. */
static const struct statement decide[] = {
  LOAD, VERSION_STATE, STORE,
  {"INSERT INTO records (tenant, id, study_id, site_id, subject_id, session_id, document_id, document_version, state, decided_ms, test, body)"
   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state, body = excluded.body",
   "TRFFSID11N0r"},
  COUNT, ENTRY("0"), ENTRY("1"), ENTRY("2"), LOCKED_KEY, PUT_ITEM("R", "c"),
  {"DELETE FROM signing_tasks WHERE tenant = ? AND record_id = ?", "TR"},
  RECORDS_OF_SUBJECT,
  {"INSERT INTO jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms) VALUES (?, ?, ?, ?, 0, ?, 0, ?)"
   " ON CONFLICT (tenant, id) DO NOTHING", "TRFjNN"},
  {"DELETE FROM deadlines WHERE tenant = ? AND kind = ? AND id = ?", "T1I"},
  SUBJECT_KEY,
  {"SELECT id FROM sessions WHERE tenant = ? AND subject_id = ? AND study_id = ? AND outcome = 0 LIMIT 1", "TSF"},
  RECORDS_OF_SUBJECT, LOCKED_KEY, RETAIN, ANSWER("a"), EVENT, EVENT, EVENT, EVENT, END_EVENTS,
  {0, 0},
};

/* Closes the last screen: the document is not read any more. */
static const struct statement done[] = {
  LOAD, STORE, ANSWER("a"), END_EVENTS,
  {0, 0},
};

/* A start, then all calls of the walk: the eighth action leads to the review, the eleventh agrees, the thirteenth
 * decides. */
static const struct statement *const calls[] = {start, act, act, act, act, act, act, act, reading, reading, reading, agree, act, decide, done, 0};

#define LONGEST_CALL 56
#define MOST_VALUES 16

/* Random bytes, which like sealed ones cannot be compressed. */
static char noise[4096];

static inline void make_noise(void) {
  unsigned state = 1;
  for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)((state = state * 1103515245 + 12345) >> 16);
}

static long session_number, session_version, event_number;

static inline int bytes_of(char letter) {
  switch (letter) {
  case 'h': return 32;    /* a hash */
  case 'k': return 73;    /* a wrapped key */
  case 'd': return 17;    /* a session's documents */
  case 's': return 593;   /* a session's sealed state */
  case 'a': return 547;   /* a sealed answer */
  case 'b': return 2140;  /* a sealed answer that shows the review */
  case 'e': return 110;   /* an event */
  case 'r': return 612;   /* a record */
  case 'i': return 20;    /* an entry of its history */
  case 'c': return 163;   /* what the vault keeps of it */
  case 'p': return 1721;  /* the review as it was shown */
  case 'j': return 36;    /* a job's payload */
  default: return 0;
  }
}

static inline int is_number(char letter) { return strchr("NVWE012", letter) != NULL; }

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
  case 'K': snprintf(text, size, "key-%026ld-%08ld", session_number, session_version); return;
  default: snprintf(text, size, "%c-%034ld", letter, session_number); return;
  }
}

#endif
