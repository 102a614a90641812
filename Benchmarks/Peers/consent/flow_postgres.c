/* libpq in a plain loop: the statements of walk after walk on the database that the service has made (BENCH_URL,
 * BENCH_SCHEMA), each call in a transaction of its own. */
#include "bench.h"
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdlib.h>
#include "consent/walk.h"

/* The type of whole numbers, by its number in PostgreSQL's catalogue. */
#define BIGINT 20

static PGconn *connection;
/* Which parameters of each statement are numbers: the trace does not tell. */
static char is_bigint[CALLS][MOST_STATEMENTS][MOST_VALUES];

static PGresult *expect(PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return result;
  printf("%s\n", PQerrorMessage(connection));
  exit(1);
}

static void run(const char *sql) { PQclear(expect(PQexec(connection, sql))); }

static void prepare(int call, int i) {
  char name[32];
  const struct statement *statement = &calls[call].statements[i];
  snprintf(name, sizeof name, "s%d_%d", call, i);
  PQclear(expect(PQprepare(connection, name, statement->sql, 0, NULL)));
  PGresult *described = expect(PQdescribePrepared(connection, name));
  for (int place = 0; place < statement->count; place++)
    is_bigint[call][i][place] = PQparamtype(described, place) == BIGINT;
  PQclear(described);
}

static void execute(int call, int i) {
  static char texts[MOST_VALUES][LONGEST_TEXT];
  static int64_t numbers[MOST_VALUES];
  const char *data[MOST_VALUES];
  int lengths[MOST_VALUES], formats[MOST_VALUES];
  char name[32];
  const struct statement *statement = &calls[call].statements[i];
  for (int place = 0; place < statement->count; place++) {
    const struct value *value = &statement->values[place];
    data[place] = value->bytes;
    lengths[place] = value->length;
    formats[place] = 1;
    switch (value->kind) {
    case IS_NULL: case IS_TEXT: case IS_BYTES: break;
    case IS_NUMBER:
      if (is_bigint[call][i][place]) {
        numbers[place] = (int64_t)htobe64((uint64_t)number_of(value));
        data[place] = (const char *)&numbers[place];
        lengths[place] = sizeof numbers[place];
      } else {
        data[place] = texts[place];
        lengths[place] = snprintf(texts[place], LONGEST_TEXT, "%ld", number_of(value));
      }
      break;
    case IS_NEW_TEXT:
      data[place] = texts[place];
      lengths[place] = new_text(value, texts[place]);
      break;
    case IS_NEW_BYTES: data[place] = new_bytes(value); break;
    }
  }
  snprintf(name, sizeof name, "s%d_%d", call, i);
  PQclear(expect(PQexecPrepared(connection, name, statement->count, data, lengths, formats, 1)));
}

static void flow(void) {
  walk_number++;
  for (int call = 0; call < CALLS; call++) {
    run("BEGIN ISOLATION LEVEL READ COMMITTED");
    for (int i = 0; i < calls[call].count; i++) execute(call, i);
    run("COMMIT");
  }
}

int main(void) {
  make_noise();
  connection = PQconnectdb(BENCH_URL);
  run("SET client_min_messages = warning");
  run("SET search_path = " BENCH_SCHEMA);
  for (int call = 0; call < CALLS; call++)
    for (int i = 0; i < calls[call].count; i++) prepare(call, i);
  for (int i = 0; i < 50; i++) flow();
  static const struct bench_case cases[] = {{"flow", flow, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
