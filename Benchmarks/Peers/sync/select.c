/* Reads the changes of one person, and what is kept of each, with SQLite alone. Arguments: DATABASE PERSON COUNT, of
 * which COUNT is how many there have to be. */
#include "bench.h"
#include <sqlite3.h>
#include <stdlib.h>

static sqlite3 *database;
static sqlite3_stmt *changes, *item;
static const char *person;
static long wanted;

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

/* Changes per second. The kept item's name is "queue/DEVICE/ITEM"; a change's identifier is "DEVICE/ITEM". */
static double read_all(void) {
  double start = bench_now();
  long count = 0;
  check(sqlite3_bind_text(changes, 1, person, -1, SQLITE_STATIC));
  while (sqlite3_step(changes) == SQLITE_ROW) {
    check(sqlite3_bind_text(item, 1, person, -1, SQLITE_STATIC));
    check(sqlite3_bind_text(item, 2, (const char *)sqlite3_column_text(changes, 0), -1, SQLITE_TRANSIENT));
    if (sqlite3_step(item) == SQLITE_ROW) {
      bench_keep(sqlite3_column_blob(item, 0));
      count++;
    }
    check(sqlite3_reset(item));
  }
  check(sqlite3_reset(changes));
  if (count != wanted) {
    printf("%s has %ld changes\n", person, count);
    exit(1);
  }
  return (double)count / ((bench_now() - start) / 1e9);
}

static const struct bench_case cases[] = {{"select", NULL, read_all}, {NULL, NULL, NULL}};

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  check(sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY, NULL));
  person = argv[2];
  wanted = atol(argv[3]);
  changes = prepare(
      "SELECT id, kind, removed, sequence FROM changes WHERE tenant = 'bench' AND person_id = ? AND kind = 5 "
      "ORDER BY sequence");
  item = prepare(
      "SELECT sealed FROM storage_vault_items WHERE tenant = 'bench' AND subject = ?1 AND item = 'queue/' || ?2");
  return bench_serve(cases);
}
