/* Walk after walk in a plain loop, each call in a transaction of its own, on the database that the service has made
 * (BENCH_PLACE). */
#include <stdlib.h>

static struct replay replay;

static void check(const char *reason) {
  if (!reason) return;
  printf("%s\n", reason);
  exit(1);
}

static void flow(void) {
  walk_number++;
  for (int call = 0; call < CALLS; call++) {
    check(replay_begin(&replay, 1));
    check(replay_statements(&replay, call));
    check(replay_commit(&replay));
  }
}

int main(void) {
  make_noise();
  check(replay_open(&replay, BENCH_PLACE));
  for (int i = 0; i < 50; i++) flow();
  static const struct bench_case cases[] = {{"flow", flow, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
