/* The protocol between a peer in C or C++ and BenchKit: the peer reads the name of a case and answers with a figure. */
#ifndef ASSENT_BENCH_H
#define ASSENT_BENCH_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef void (*bench_operation)(void);

struct bench_case {
  const char *name;
  bench_operation run;        /* timed: the answer is nanoseconds per operation */
  double (*measure)(void);    /* or measured by itself: the answer is what it returns */
};

/* What follows the name of the case that is measured, after a blank. */
static const char *bench_argument = "";

/* Why that case has no figure, where the peer knows: it fails alone, and the next case is measured. */
static char bench_failure[512];

static inline double bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Keeps the compiler from leaving out the work that made `value`. */
static inline void bench_keep(const void *value) { __asm__ volatile("" : : "g"(value) : "memory"); }

/* Repeats the operation until a batch lasts 100 ms, as BenchKit does on its side. */
static inline double bench_time(bench_operation run) {
  for (double count = 1;;) {
    double start = bench_now();
    for (long i = 0; i < (long)count; i++) run();
    double elapsed = bench_now() - start;
    if (elapsed >= 100e6) return elapsed / (double)(long)count;
    double factor = 1.2 * 100e6 / (elapsed < 1 ? 1 : elapsed);
    count = (double)(long)(count * (factor > 100 ? 100 : factor < 1.5 ? 1.5 : factor)) + 1;
  }
}

/* Answers cases until standard input ends. The last entry of `cases` has no name. */
static inline int bench_serve(const struct bench_case *cases) {
  char line[1024];
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (fgets(line, sizeof line, stdin)) {
    const struct bench_case *found = cases;
    line[strcspn(line, "\n")] = 0;
    size_t name = strcspn(line, " ");
    bench_argument = line[name] ? line + name + 1 : "";
    line[name] = 0;
    bench_failure[0] = 0;
    while (found->name && strcmp(found->name, line) != 0) found++;
    if (!found->name) {
      printf("there is no case '%s'\n", line);
      continue;
    }
    double figure = found->run ? bench_time(found->run) : found->measure();
    /* A figure of nothing would look like a good or a bad one. */
    if (bench_failure[0]) printf("%s\n", bench_failure);
    else if (isfinite(figure) && figure > 0) printf("%.3f\n", figure);
    else printf("'%s' gave no figure\n", line);
  }
  return 0;
}

#endif
