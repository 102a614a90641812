/* libpq in a plain loop: the same statements on the same server as Storage's, prepared once. */
#include "bench.h"
#include <libpq-fe.h>
#include <stdlib.h>

static PGconn *connection;
static char body[201];
static long number;

static PGresult *expect(PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return result;
  printf("%s\n", PQerrorMessage(connection));
  exit(1);
}

static void run(const char *sql) { PQclear(expect(PQexec(connection, sql))); }

static void write_one(void) {
  char id[32], place[32];
  snprintf(id, sizeof id, "row-%ld", number++);
  snprintf(place, sizeof place, "%ld", number);
  const char *values[] = {"bench", id, place, body};
  run("BEGIN");
  PQclear(expect(PQexecPrepared(connection, "insert", 4, values, NULL, NULL, 0)));
  run("COMMIT");
}

static void read_hundred(void) {
  char id[32], text[256];
  run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  for (int i = 0; i < 100; i++) {
    snprintf(id, sizeof id, "row-%d", (i * 37) % 1000);
    const char *values[] = {"bench", id};
    PGresult *result = expect(PQexecPrepared(connection, "find", 2, values, NULL, NULL, 1));
    memcpy(text, PQgetvalue(result, 0, 2), (size_t)PQgetlength(result, 0, 2));
    bench_keep(text);
    PQclear(result);
  }
  run("COMMIT");
}

int main(void) {
  memset(body, 'x', sizeof body - 1);
  connection = PQconnectdb(BENCH_URL);
  run("CREATE SCHEMA IF NOT EXISTS bare");
  run("SET search_path = bare");
  run("CREATE TABLE IF NOT EXISTS rows (tenant TEXT NOT NULL, id TEXT NOT NULL, place BIGINT NOT NULL,"
      " body TEXT NOT NULL, PRIMARY KEY (tenant, id))");
  PQclear(expect(PQprepare(connection, "insert", "INSERT INTO rows VALUES ($1, $2, $3, $4)", 4, NULL)));
  PQclear(expect(PQprepare(connection, "find", "SELECT id, place, body FROM rows WHERE tenant = $1 AND id = $2", 2, NULL)));
  for (int i = 0; i < 1000; i++) write_one();
  static const struct bench_case cases[] = {{"commit", write_one, NULL}, {"read", read_hundred, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
