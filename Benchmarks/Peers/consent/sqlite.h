/* The calls of a walk on SQLite: one connection, with each statement prepared when it is first executed. What fails
 * returns why. */
#ifndef ASSENT_CONSENT_SQLITE_H
#define ASSENT_CONSENT_SQLITE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include "bench.h"
#include "consent/walk.h"

struct replay {
  sqlite3 *database;
  sqlite3_stmt *begin, *begin_writing, *commit, *roll_back;
  sqlite3_stmt *prepared[CALLS][MOST_STATEMENTS];
};

static inline const char *replay_reason(struct replay *replay, int code) {
  return code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW ? NULL : sqlite3_errmsg(replay->database);
}

static inline const char *replay_prepare(struct replay *replay, sqlite3_stmt **statement, const char *sql) {
  return *statement ? NULL : replay_reason(replay, sqlite3_prepare_v2(replay->database, sql, -1, statement, NULL));
}

static inline const char *replay_run(struct replay *replay, sqlite3_stmt *statement) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(statement); i++) bench_keep(sqlite3_column_blob(statement, i));
  const char *reason = replay_reason(replay, code);
  sqlite3_reset(statement);
  return reason;
}

static inline int replay_bind(sqlite3_stmt *statement, int place, const struct value *value) {
  char text[LONGEST_TEXT];
  switch (value->kind) {
  case IS_NULL: return sqlite3_bind_null(statement, place);
  case IS_NUMBER: return sqlite3_bind_int64(statement, place, number_of(value));
  case IS_REAL: return sqlite3_bind_double(statement, place, strtod(value->bytes, NULL));
  case IS_TEXT: return sqlite3_bind_text(statement, place, value->bytes, value->length, SQLITE_STATIC);
  case IS_BYTES: return sqlite3_bind_blob(statement, place, value->bytes, value->length, SQLITE_STATIC);
  case IS_NEW_TEXT: return sqlite3_bind_text(statement, place, text, new_text(value, text), SQLITE_TRANSIENT);
  case IS_NEW_BYTES: return sqlite3_bind_blob(statement, place, new_bytes(value), value->length, SQLITE_STATIC);
  }
  return SQLITE_ERROR;
}

static inline const char *replay_open(struct replay *replay, const char *file) {
  const char *reason = too_much_to_replay();
  if (reason) return reason;
  int code = sqlite3_open(file, &replay->database);
  if (code == SQLITE_OK) sqlite3_busy_timeout(replay->database, 10000);
  if (code == SQLITE_OK)
    code = sqlite3_exec(replay->database,
                        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                        "PRAGMA secure_delete = ON",
                        NULL, NULL, NULL);
  reason = replay_reason(replay, code);
  if (!reason) reason = replay_prepare(replay, &replay->begin, "BEGIN");
  if (!reason) reason = replay_prepare(replay, &replay->begin_writing, "BEGIN IMMEDIATE");
  if (!reason) reason = replay_prepare(replay, &replay->commit, "COMMIT");
  if (!reason) reason = replay_prepare(replay, &replay->roll_back, "ROLLBACK");
  return reason;
}

/* Whether a call changes something, for which SQLite has one place at a time. */
static inline int replay_writes(struct replay *replay, int call) {
  for (int i = 0; i < calls[call].count; i++) {
    sqlite3_stmt **statement = &replay->prepared[call][i];
    /* An error is told by who executes it. */
    if (replay_prepare(replay, statement, calls[call].statements[i].sql)) return 1;
    if (!sqlite3_stmt_readonly(*statement)) return 1;
  }
  return 0;
}

static inline const char *replay_begin(struct replay *replay, int writes) {
  return replay_run(replay, writes ? replay->begin_writing : replay->begin);
}

static inline const char *replay_statements(struct replay *replay, int call) {
  for (int i = 0; i < calls[call].count; i++) {
    const struct statement *statement = &calls[call].statements[i];
    sqlite3_stmt **prepared = &replay->prepared[call][i];
    const char *reason = replay_prepare(replay, prepared, statement->sql);
    for (int place = 0; !reason && place < statement->count; place++)
      reason = replay_reason(replay, replay_bind(*prepared, place + 1, &statement->values[place]));
    if (!reason) reason = replay_run(replay, *prepared);
    if (reason) return reason;
  }
  return NULL;
}

static inline const char *replay_commit(struct replay *replay) { return replay_run(replay, replay->commit); }

static inline void replay_roll_back(struct replay *replay) { replay_run(replay, replay->roll_back); }

#endif
