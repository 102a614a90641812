/* The bare client library with Storage's work: the same statements on the same disk, in a plain loop. */
#include "bench.h"
#include <sqlite3.h>
#include <stdlib.h>

static sqlite3 *database;
static sqlite3_stmt *begin, *commit, *rollback, *insert, *find;
static char body[200];
static long number;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  printf("%s\n", sqlite3_errmsg(database));
  exit(1);
}

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
  return statement;
}

static void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static void write_one(void) {
  char id[32];
  snprintf(id, sizeof id, "row-%ld", number++);
  run(begin);
  sqlite3_bind_text(insert, 1, "bench", -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 2, id, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 3, number);
  sqlite3_bind_text(insert, 4, body, sizeof body, SQLITE_STATIC);
  run(insert);
  run(commit);
}

/* One hundred rows by their keys from one snapshot; each column is read and copied, as in a program. */
static void read_hundred(void) {
  char id[32], text[256];
  run(begin);
  for (int i = 0; i < 100; i++) {
    snprintf(id, sizeof id, "row-%d", (i * 37) % 1000);
    sqlite3_bind_text(find, 1, "bench", -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 2, id, -1, SQLITE_STATIC);
    if (sqlite3_step(find) != SQLITE_ROW) { printf("row %s is not there\n", id); exit(1); }
    memcpy(id, sqlite3_column_text(find, 0), (size_t)sqlite3_column_bytes(find, 0));
    sqlite3_int64 place = sqlite3_column_int64(find, 1);
    memcpy(text, sqlite3_column_text(find, 2), (size_t)sqlite3_column_bytes(find, 2));
    bench_keep(&place);
    bench_keep(text);
    sqlite3_reset(find);
  }
  run(rollback);
}

static void open_database(const char *path) {
  check(sqlite3_open(path, &database));
  check(sqlite3_exec(database,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                     "PRAGMA secure_delete = ON;"
                     "CREATE TABLE IF NOT EXISTS rows (tenant TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL,"
                     " body TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT",
                     NULL, NULL, NULL));
  begin = prepared("BEGIN");
  commit = prepared("COMMIT");
  rollback = prepared("ROLLBACK");
  insert = prepared("INSERT INTO rows (tenant, id, place, body) VALUES (?1, ?2, ?3, ?4)");
  find = prepared("SELECT id, place, body FROM rows WHERE tenant = ?1 AND id = ?2");
}

int main(void) {
  memset(body, 'x', sizeof body);
  open_database(BENCH_FILE);
  for (int i = 0; i < 1000; i++) write_one();
  static const struct bench_case cases[] = {{"commit", write_one, NULL}, {"read", read_hundred, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
