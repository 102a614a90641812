/* Records every statement that a program executes on SQLite. Preloaded (LD_PRELOAD), it asks each database that is
 * opened to report its statements, and adds "CONNECTION|SQL" lines to the file BENCH_TRACE. PostgreSQL does this by
 * itself (log_statement). It is not a peer: flow.h is written from its output. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tell(unsigned kind, void *file, void *statement, void *sql) {
  (void)kind;
  (void)sql;
  char line[8192];
  int length = snprintf(line, sizeof line, "%p|%s", (void *)sqlite3_db_handle(statement), sqlite3_sql(statement));
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  for (char *c = line; *c; c++)
    if (*c == '\n') *c = ' ';
  line[length] = '\n';
  fwrite(line, 1, (size_t)length + 1, file);
  return 0;
}

static void listen(sqlite3 *database) {
  static FILE *file;
  const char *path = getenv("BENCH_TRACE");
  if (!file && path) {
    file = fopen(path, "a");
    if (file) setvbuf(file, NULL, _IOLBF, 16384);
  }
  if (file) sqlite3_trace_v2(database, SQLITE_TRACE_STMT, tell, file);
}

int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *vfs) {
  int (*open)(const char *, sqlite3 **, int, const char *) = dlsym(RTLD_NEXT, "sqlite3_open_v2");
  int code = open(name, database, flags, vfs);
  if (code == SQLITE_OK) listen(*database);
  return code;
}

int sqlite3_open(const char *name, sqlite3 **database) {
  return sqlite3_open_v2(name, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
}
