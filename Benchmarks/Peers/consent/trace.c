/* Records every statement that a program executes on SQLite, with its values. Preloaded (LD_PRELOAD), it asks each
 * database that is opened to report its statements, and adds to the file of that name in the folder BENCH_TRACE a line
 * for each: the connection, the statement, and the statement with its values in place of the parameters, separated by
 * unit separators (0x1f). A process opens one database. PostgreSQL does this by itself (log_statement). It is not a
 * peer: what the peers execute is made from its output. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_line(FILE *file, const char *text) {
  for (; *text; text++) putc_unlocked(*text == '\n' ? ' ' : *text, file);
}

static int tell(unsigned kind, void *file, void *statement, void *sql) {
  (void)kind;
  /* What a trigger begins is reported as a comment. */
  if (strncmp(sql, "--", 2) == 0) return 0;
  char *expanded = sqlite3_expanded_sql(statement);
  if (!expanded) return 0;
  flockfile(file);
  fprintf(file, "%p\x1f", (void *)sqlite3_db_handle(statement));
  write_line(file, sqlite3_sql(statement));
  putc_unlocked(0x1f, file);
  write_line(file, expanded);
  putc_unlocked('\n', file);
  fflush_unlocked(file);
  funlockfile(file);
  sqlite3_free(expanded);
  return 0;
}

static void listen(sqlite3 *database) {
  static FILE *file;
  const char *folder = getenv("BENCH_TRACE"), *place = sqlite3_db_filename(database, "main");
  const char *name = place ? strrchr(place, '/') : NULL;
  if (!file && folder && name) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", folder, name);
    file = fopen(path, "a");
    /* Each line is one write, so that a reader never finds half of one. */
    if (file) setvbuf(file, NULL, _IOFBF, 1 << 20);
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
