/* A walk as data, and the values that are made anew for each walk. The data itself is WALK, a file that a benchmark
 * makes from a trace of the services. */
#ifndef ASSENT_CONSENT_WALK_H
#define ASSENT_CONSENT_WALK_H

#include <stdio.h>

enum kind { IS_NULL, IS_NUMBER, IS_REAL, IS_TEXT, IS_BYTES, IS_NEW_TEXT, IS_NEW_BYTES };

struct value {
  enum kind kind;
  /* A number; or the name of a new text, which within a walk stands for one text. */
  long base;
  /* By how much a number grows from walk to walk. */
  long step;
  int length;
  const char *bytes;
};

struct statement {
  const char *sql;
  int count;
  const struct value *values;
};

/* The statements of one transaction. */
struct call {
  int count;
  const struct statement *statements;
};

#include WALK

#define CALLS ((int)(sizeof calls / sizeof *calls))
#define MOST_STATEMENTS 256
#define MOST_VALUES 64
#define LONGEST_TEXT 512

/* Why the walk is more than the arrays of a replay hold; NULL if it is not. */
static inline const char *too_much_to_replay(void) {
  for (int call = 0; call < CALLS; call++) {
    if (calls[call].count > MOST_STATEMENTS) return "a call has too many statements to be replayed";
    for (int i = 0; i < calls[call].count; i++)
      if (calls[call].statements[i].count > MOST_VALUES) return "a statement has too many values to be replayed";
  }
  return NULL;
}

/* The walk's number, counted from the traced one. It begins far behind it, since the service went on after that walk:
 * with other walks, and with jobs, which append events too. */
static __thread long walk_number = 1000;

/* Random bytes, which like sealed ones cannot be compressed. */
static char noise[1 << 16];

static inline void make_noise(void) {
  unsigned state = 1;
  for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)((state = state * 1103515245 + 12345) >> 16);
}

static inline long number_of(const struct value *value) { return value->base + value->step * walk_number; }

/* Later walks have later texts, as the service's identifiers have. */
static inline int new_text(const struct value *value, char *text) {
  return snprintf(text, LONGEST_TEXT, "%0*ld", value->length, walk_number * 1000 + value->base);
}

/* Other bytes than those of the walk before. */
static inline const char *new_bytes(const struct value *value) {
  return noise + (size_t)(walk_number * 61) % (sizeof noise - (size_t)value->length);
}

#endif
