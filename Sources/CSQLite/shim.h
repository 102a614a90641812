/* SQLite, and wrappers of the few calls whose arguments Swift cannot express. */
#ifndef ASSENT_CSQLITE_H
#define ASSENT_CSQLITE_H

#include <sqlite3.h>

/* Computed macros, which Swift does not import. */
enum {
  CSQLITE_UNIQUE = SQLITE_CONSTRAINT_UNIQUE,
  CSQLITE_PRIMARY_KEY = SQLITE_CONSTRAINT_PRIMARYKEY,
  CSQLITE_FOREIGN_KEY = SQLITE_CONSTRAINT_FOREIGNKEY,
  CSQLITE_SYNC = SQLITE_IOERR_FSYNC
};

/* Called once, before any other function: sqlite3_config takes a variable number of arguments. */
static inline int csqlite_configure(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer: SQLite copies what is bound. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
  /* A null pointer would bind NULL, and an empty blob is not NULL. */
  return bytes == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

#endif
