/* libpq in a plain loop: the statements of walk after walk, each call in a transaction of its own. */
#include "bench.h"
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdlib.h>

#define NUMBER "BIGINT"
#define BYTES "BYTEA"
#define TABLE ""
#define CLUSTERED ""
#define FOR_UPDATE " FOR UPDATE"
#define FOR_SHARE " FOR SHARE"
/* A row per connection holds the outcome of its last commit (docs/decisions/0021). */
#define OUTCOME \
  {"INSERT INTO outcomes (connection, number, used_at) VALUES (?, ?, now()) ON CONFLICT (connection)" \
   " DO UPDATE SET number = excluded.number, used_at = excluded.used_at", "CN"},
#include "consent/flow.h"

static PGconn *connection;

static void expect(PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    printf("%s\n", PQerrorMessage(connection));
    exit(1);
  }
  PQclear(result);
}

static void run(const char *sql) { expect(PQexec(connection, sql)); }

/* Turns SQL for both engines into PostgreSQL's: $1 for ?. */
static void adapted(const char *sql, char *into) {
  int number = 0;
  for (; *sql; sql++) {
    if (*sql == '?') into += sprintf(into, "$%d", ++number);
    else *into++ = *sql;
  }
  *into = 0;
}

static void execute(const char *name, const char *values) {
  static char texts[MOST_VALUES][64];
  static int64_t numbers[MOST_VALUES];
  const char *data[MOST_VALUES];
  int lengths[MOST_VALUES], formats[MOST_VALUES], count = 0;
  for (; values[count]; count++) {
    int size = bytes_of(values[count]);
    formats[count] = 1;
    if (values[count] == '_') {
      data[count] = NULL;
      lengths[count] = 0;
    } else if (size) {
      data[count] = noise;
      lengths[count] = size;
    } else if (is_number(values[count])) {
      numbers[count] = (int64_t)htobe64((uint64_t)number_of(values[count], session_number));
      data[count] = (const char *)&numbers[count];
      lengths[count] = 8;
    } else {
      text_of(values[count], texts[count], sizeof texts[count]);
      data[count] = texts[count];
      lengths[count] = (int)strlen(texts[count]);
    }
  }
  expect(PQexecPrepared(connection, name, count, data, lengths, formats, 1));
}

static void flow(void) {
  char name[32];
  session_number++;
  session_version = 0;
  for (int call = 0; calls[call]; call++) {
    run("BEGIN ISOLATION LEVEL READ COMMITTED");
    for (int i = 0; calls[call][i].sql; i++) {
      snprintf(name, sizeof name, "s%d_%d", call, i);
      execute(name, calls[call][i].values);
    }
    run("COMMIT");
    session_version++;
  }
}

int main(void) {
  make_noise();
  connection = PQconnectdb(BENCH_URL);
  run("SET client_min_messages = warning");
  run("DROP SCHEMA IF EXISTS bare CASCADE");
  run("CREATE SCHEMA bare");
  run("SET search_path = bare");
  for (int i = 0; tables[i]; i++) run(tables[i]);
  run("CREATE TABLE outcomes (connection TEXT PRIMARY KEY, number BIGINT NOT NULL, used_at TIMESTAMPTZ NOT NULL) WITH (fillfactor = 50)");
  run("INSERT INTO event_heads VALUES ('bench', 0, 0, '')");
  run("INSERT INTO vault_tenants VALUES ('bench', 1, repeat('x', 73)::bytea, 'master', 0)");
  run("INSERT INTO vault_policies VALUES ('bench', 'twelve', 0)");
  run("INSERT INTO flows VALUES ('bench', 'twelve', 'bench', repeat('x', 33)::bytea)");
  run("INSERT INTO flow_versions VALUES ('bench', 'twelve', 1, 3, repeat('x', 255)::bytea)");
  run("INSERT INTO documents VALUES ('bench', 'bench-study', 'bench', repeat('x', 36)::bytea)");
  run("INSERT INTO document_versions VALUES ('bench', 'bench-study', 1, 3, 0, 0, repeat('x', 2540)::bytea)");
  for (int call = 0; calls[call]; call++)
    for (int i = 0; calls[call][i].sql; i++) {
      char sql[2048], name[32];
      adapted(calls[call][i].sql, sql);
      snprintf(name, sizeof name, "s%d_%d", call, i);
      PGresult *result = PQprepare(connection, name, sql, 0, NULL);
      expect(result);
    }
  for (int i = 0; i < 50; i++) flow();
  static const struct bench_case cases[] = {{"flow", flow, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
