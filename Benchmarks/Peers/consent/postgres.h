/* The calls of a walk on PostgreSQL: one connection of libpq, with each statement prepared when it is first executed.
 * What fails returns why. */
#ifndef ASSENT_CONSENT_POSTGRES_H
#define ASSENT_CONSENT_POSTGRES_H

#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "consent/walk.h"

/* The type of whole numbers, by its number in PostgreSQL's catalogue. */
#define BIGINT 20

struct replay {
  PGconn *connection;
  char is_prepared[CALLS][MOST_STATEMENTS];
  /* Which parameters of each statement are numbers: the trace does not tell. */
  char is_bigint[CALLS][MOST_STATEMENTS][MOST_VALUES];
  /* What the services note of a connection's outcomes stands in a row of the connection's own. */
  char name[64];
};

/* Takes a result in; NULL if it is a good one. */
static inline const char *replay_end(struct replay *replay, PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? NULL : PQerrorMessage(replay->connection);
}

static inline const char *replay_run(struct replay *replay, const char *sql) {
  return replay_end(replay, PQexec(replay->connection, sql));
}

static inline const char *replay_open(struct replay *replay, const char *url) {
  const char *reason = too_much_to_replay();
  if (reason) return reason;
  replay->connection = PQconnectdb(url);
  if (PQstatus(replay->connection) != CONNECTION_OK) return PQerrorMessage(replay->connection);
  snprintf(replay->name, sizeof replay->name, "peer-%d", PQbackendPID(replay->connection));
  return replay_run(replay, "SET client_min_messages = warning");
}

static inline const char *replay_prepare(struct replay *replay, int call, int i, const char *name) {
  if (replay->is_prepared[call][i]) return NULL;
  const struct statement *statement = &calls[call].statements[i];
  const char *reason = replay_end(replay, PQprepare(replay->connection, name, statement->sql, 0, NULL));
  if (reason) return reason;
  PGresult *described = PQdescribePrepared(replay->connection, name);
  for (int place = 0; place < statement->count; place++)
    replay->is_bigint[call][i][place] = PQparamtype(described, place) == BIGINT;
  reason = replay_end(replay, described);
  replay->is_prepared[call][i] = !reason;
  return reason;
}

static inline const char *replay_execute(struct replay *replay, int call, int i) {
  char texts[MOST_VALUES][LONGEST_TEXT];
  int64_t numbers[MOST_VALUES];
  const char *data[MOST_VALUES];
  int lengths[MOST_VALUES], formats[MOST_VALUES];
  char name[32];
  const struct statement *statement = &calls[call].statements[i];
  snprintf(name, sizeof name, "s%d_%d", call, i);
  const char *reason = replay_prepare(replay, call, i, name);
  if (reason) return reason;
  for (int place = 0; place < statement->count; place++) {
    const struct value *value = &statement->values[place];
    data[place] = value->bytes;
    lengths[place] = value->length;
    /* What the log does not tell the type of is sent as text. */
    formats[place] = 0;
    switch (value->kind) {
    case IS_NULL: case IS_REAL: case IS_TEXT: break;
    case IS_BYTES: formats[place] = 1; break;
    case IS_NUMBER:
      if (replay->is_bigint[call][i][place]) {
        numbers[place] = (int64_t)htobe64((uint64_t)number_of(value));
        data[place] = (const char *)&numbers[place];
        lengths[place] = sizeof numbers[place];
        formats[place] = 1;
      } else {
        data[place] = texts[place];
        lengths[place] = snprintf(texts[place], LONGEST_TEXT, "%ld", number_of(value));
      }
      break;
    case IS_NEW_TEXT:
      data[place] = texts[place];
      lengths[place] = new_text(value, texts[place]);
      break;
    case IS_NEW_BYTES:
      data[place] = new_bytes(value);
      formats[place] = 1;
      break;
    }
  }
  if (strstr(statement->sql, "INTO storage_outcomes ")) {
    data[0] = replay->name;
    lengths[0] = (int)strlen(replay->name);
  }
  return replay_end(replay, PQexecPrepared(replay->connection, name, statement->count, data, lengths, formats, 1));
}

/* There is a place for every writer. */
static inline int replay_writes(struct replay *replay, int call) {
  (void)replay;
  (void)call;
  return 0;
}

static inline const char *replay_begin(struct replay *replay, int writes) {
  (void)writes;
  return replay_run(replay, "BEGIN ISOLATION LEVEL READ COMMITTED");
}

static inline const char *replay_statements(struct replay *replay, int call) {
  for (int i = 0; i < calls[call].count; i++) {
    const char *reason = replay_execute(replay, call, i);
    if (reason) return reason;
  }
  return NULL;
}

static inline const char *replay_commit(struct replay *replay) { return replay_run(replay, "COMMIT"); }

static inline void replay_roll_back(struct replay *replay) { replay_run(replay, "ROLLBACK"); }

#endif
