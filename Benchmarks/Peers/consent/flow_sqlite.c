/* SQLite in a plain loop: the statements of walk after walk on the database that the service has made (BENCH_FILE),
 * each call in a transaction of its own. */
#include "bench.h"
#include <sqlite3.h>
#include <stdlib.h>
#include "consent/walk.h"

static sqlite3 *database;
static sqlite3_stmt *begin, *commit;
static sqlite3_stmt *prepared[CALLS][MOST_STATEMENTS];

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

static void run(sqlite3_stmt *statement) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(statement); i++) bench_keep(sqlite3_column_blob(statement, i));
  check(code);
  check(sqlite3_reset(statement));
}

static int bind(sqlite3_stmt *statement, int place, const struct value *value) {
  char text[LONGEST_TEXT];
  switch (value->kind) {
  case IS_NULL: return sqlite3_bind_null(statement, place);
  case IS_NUMBER: return sqlite3_bind_int64(statement, place, number_of(value));
  case IS_TEXT: return sqlite3_bind_text(statement, place, value->bytes, value->length, SQLITE_STATIC);
  case IS_BYTES: return sqlite3_bind_blob(statement, place, value->bytes, value->length, SQLITE_STATIC);
  case IS_NEW_TEXT: return sqlite3_bind_text(statement, place, text, new_text(value, text), SQLITE_TRANSIENT);
  case IS_NEW_BYTES: return sqlite3_bind_blob(statement, place, new_bytes(value), value->length, SQLITE_STATIC);
  }
  return SQLITE_ERROR;
}

static void flow(void) {
  walk_number++;
  for (int call = 0; call < CALLS; call++) {
    run(begin);
    for (int i = 0; i < calls[call].count; i++) {
      const struct statement *statement = &calls[call].statements[i];
      for (int place = 0; place < statement->count; place++)
        check(bind(prepared[call][i], place + 1, &statement->values[place]));
      run(prepared[call][i]);
    }
    run(commit);
  }
}

int main(void) {
  make_noise();
  check(sqlite3_open(BENCH_FILE, &database));
  check(sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON",
                     NULL, NULL, NULL));
  begin = prepare("BEGIN IMMEDIATE");
  commit = prepare("COMMIT");
  for (int call = 0; call < CALLS; call++)
    for (int i = 0; i < calls[call].count; i++) prepared[call][i] = prepare(calls[call].statements[i].sql);
  for (int i = 0; i < 50; i++) flow();
  static const struct bench_case cases[] = {{"flow", flow, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
