/* A peer for BenchKit's own tests. */
#include "bench.h"
#include <stdlib.h>

static double answer(void) { return 42; }

static double zero(void) { return 0; }

static double argument(void) { return atof(bench_argument); }

static double failed(void) {
  strcpy(bench_failure, "it failed");
  return 1;
}

static double gone(void) { exit(3); }

static void nothing(void) { bench_keep("nothing"); }

int main(void) {
  static const struct bench_case cases[] = {{"answer", NULL, answer}, {"nothing", nothing, NULL},
                                            {"zero", NULL, zero},     {"argument", NULL, argument},
                                            {"failed", NULL, failed}, {"gone", NULL, gone},       {NULL, NULL, NULL}};
  return bench_serve(cases);
}
