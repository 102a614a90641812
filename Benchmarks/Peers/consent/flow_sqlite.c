/* SQLite in a plain loop: the statements of walk after walk, each call in a transaction of its own. */
#include "bench.h"
#include <sqlite3.h>
#include <stdlib.h>

#define NUMBER "INTEGER"
#define BYTES "BLOB"
#define TABLE " STRICT"
#define CLUSTERED " STRICT, WITHOUT ROWID"
#define FOR_UPDATE ""
#define FOR_SHARE ""
#define OUTCOME
#include "consent/flow.h"

static sqlite3 *database;
static sqlite3_stmt *begin, *commit;
static sqlite3_stmt *prepared[16][LONGEST_CALL];

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

static void bind(sqlite3_stmt *statement, const char *values) {
  char text[64];
  for (int i = 0; values[i]; i++) {
    int size = bytes_of(values[i]);
    if (values[i] == '_') check(sqlite3_bind_null(statement, i + 1));
    else if (size) check(sqlite3_bind_blob(statement, i + 1, noise, size, SQLITE_STATIC));
    else if (is_number(values[i])) check(sqlite3_bind_int64(statement, i + 1, number_of(values[i], session_number)));
    else {
      text_of(values[i], text, sizeof text);
      check(sqlite3_bind_text(statement, i + 1, text, -1, SQLITE_TRANSIENT));
    }
  }
}

static void flow(void) {
  session_number++;
  session_version = 0;
  for (int call = 0; calls[call]; call++) {
    run(begin);
    for (int i = 0; calls[call][i].sql; i++) {
      bind(prepared[call][i], calls[call][i].values);
      run(prepared[call][i]);
    }
    run(commit);
    session_version++;
  }
}

int main(void) {
  make_noise();
  check(sqlite3_open(BENCH_FILE, &database));
  check(sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON",
                     NULL, NULL, NULL));
  for (int i = 0; tables[i]; i++) run(prepare(tables[i]));
  run(prepare("INSERT INTO event_heads VALUES ('bench', 0, 0, x'00')"));
  run(prepare("INSERT INTO vault_tenants VALUES ('bench', 1, zeroblob(73), 'master', 0)"));
  run(prepare("INSERT INTO vault_policies VALUES ('bench', 'twelve', 0)"));
  run(prepare("INSERT INTO flows VALUES ('bench', 'twelve', 'bench', zeroblob(33))"));
  run(prepare("INSERT INTO flow_versions VALUES ('bench', 'twelve', 1, 3, zeroblob(255))"));
  run(prepare("INSERT INTO documents VALUES ('bench', 'bench-study', 'bench', zeroblob(36))"));
  run(prepare("INSERT INTO document_versions VALUES ('bench', 'bench-study', 1, 3, 0, 0, zeroblob(2540))"));
  begin = prepare("BEGIN IMMEDIATE");
  commit = prepare("COMMIT");
  for (int call = 0; calls[call]; call++)
    for (int i = 0; calls[call][i].sql; i++) prepared[call][i] = prepare(calls[call][i].sql);
  for (int i = 0; i < 50; i++) flow();
  static const struct bench_case cases[] = {{"flow", flow, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
