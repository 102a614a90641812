/* A peer for BenchKit's own tests. */
#include "bench.h"

static double answer(void) { return 42; }

static void nothing(void) { bench_keep("nothing"); }

int main(void) {
  static const struct bench_case cases[] = {{"answer", NULL, answer}, {"nothing", nothing, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
