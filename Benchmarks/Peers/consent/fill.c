/* Fills ConsentService's SQLite file with copies of its newest record, each with its own identifier and subject. It
 * is not a peer: it prepares the data that is measured. */
#define _GNU_SOURCE
#include "bench.h"
#include <sqlite3.h>
#include <stdlib.h>

static sqlite3 *database;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  printf("%s\n", sqlite3_errmsg(database));
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
  return statement;
}

/* Overwrites every occurrence of `old` with `name`, which is equally long. */
static void rename_in(char *body, int size, const char *old, const char *name) {
  size_t length = strlen(old);
  for (char *at = body; (at = memmem(at, (size_t)(body + size - at), old, length)); at += length) memcpy(at, name, length);
}

static double fill(void) {
  char id[64], subject[64], old_id[64], old_subject[64], body[8192];
  check(sqlite3_open(BENCH_FILE, &database));
  check(sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN", NULL, NULL, NULL));
  sqlite3_stmt *newest = prepare(
    "SELECT id, subject_id, body, decided_ms FROM records WHERE length(subject_id) = 36 ORDER BY decided_ms DESC LIMIT 1");
  check(sqlite3_step(newest));
  snprintf(old_id, sizeof old_id, "%s", sqlite3_column_text(newest, 0));
  snprintf(old_subject, sizeof old_subject, "%s", sqlite3_column_text(newest, 1));
  int size = sqlite3_column_bytes(newest, 2);
  if (size > (int)sizeof body || strlen(old_id) != 36) exit(1);
  memcpy(body, sqlite3_column_blob(newest, 2), (size_t)size);
  sqlite3_int64 decided = sqlite3_column_int64(newest, 3);
  sqlite3_finalize(newest);
  sqlite3_stmt *record = prepare(
    "INSERT INTO records SELECT tenant, ?2, study_id, site_id, ?3, session_id || ?1, document_id, document_version, state, ?4, test, ?5"
    " FROM records WHERE tenant = 'bench' AND id = ?6");
  sqlite3_stmt *entries = prepare(
    "INSERT INTO record_entries SELECT tenant, ?1, sequence, body FROM record_entries WHERE tenant = 'bench' AND record_id = ?2");
  char template[64];
  snprintf(template, sizeof template, "%s", old_id);
  for (long i = 0; i < BENCH_RECORDS; i++) {
    snprintf(id, sizeof id, "00000000-0000-7000-8000-%012ld", i);
    snprintf(subject, sizeof subject, "00000000-0000-7000-9000-%012ld", i);
    rename_in(body, size, old_id, id);
    rename_in(body, size, old_subject, subject);
    memcpy(old_id, id, sizeof id);
    memcpy(old_subject, subject, sizeof subject);
    sqlite3_bind_int64(record, 1, i);
    sqlite3_bind_text(record, 2, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(record, 3, subject, -1, SQLITE_STATIC);
    sqlite3_bind_int64(record, 4, decided - 1000000000 + i);
    sqlite3_bind_blob(record, 5, body, size, SQLITE_STATIC);
    sqlite3_bind_text(record, 6, template, -1, SQLITE_STATIC);
    check(sqlite3_step(record));
    check(sqlite3_reset(record));
    sqlite3_bind_text(entries, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(entries, 2, template, -1, SQLITE_STATIC);
    check(sqlite3_step(entries));
    check(sqlite3_reset(entries));
  }
  check(sqlite3_exec(database, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL));
  sqlite3_finalize(record);
  sqlite3_finalize(entries);
  check(sqlite3_close(database));
  return BENCH_RECORDS;
}

int main(void) {
  static const struct bench_case cases[] = {{"fill", NULL, fill}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
