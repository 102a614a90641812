/* The exact picture: the union of the pad's discs, sampled 8 × 8 times in every pixel. */
#ifndef ASSENT_PEERS_REFERENCE_H
#define ASSENT_PEERS_REFERENCE_H

#include <string.h>
#include "pad.h"

enum { samples = 8 };

typedef struct { int width, height; unsigned char *inside; } Reference;

static void reference_disc(void *context, Point p, double radius) {
  Reference *r = context;
  int columns = r->width * samples, rows = r->height * samples;
  double x = p.x * samples, y = p.y * samples, reach = radius * samples;
  for (int row = fmax(0, floor(y - reach)); row <= fmin(rows - 1, ceil(y + reach)); row++)
    for (int column = fmax(0, floor(x - reach)); column <= fmin(columns - 1, ceil(x + reach)); column++) {
      double dx = column + 0.5 - x, dy = row + 0.5 - y;
      if (dx * dx + dy * dy <= reach * reach) r->inside[(size_t)row * columns + column] = 1;
    }
}

static void reference_curve(void *context, const Curve *c) {
  /* With a disc every fortieth of a pixel, no sample falls between two discs. */
  int steps = ceil(pad_length(c) * 40) + 1;
  for (int i = 0; i <= steps; i++) {
    double t = (double)i / steps;
    reference_disc(context, pad_at(c, t), pad_radius(c, t));
  }
}

/* The ink of every pixel, 0 to 255. */
static unsigned char *reference_make(const Signature *s) {
  Reference r = {s->width, s->height, NULL};
  int columns = r.width * samples;
  r.inside = calloc((size_t)columns * r.height * samples, 1);
  pad_walk(s, reference_disc, reference_curve, &r);
  unsigned char *ink = malloc((size_t)r.width * r.height);
  for (int y = 0; y < r.height; y++)
    for (int x = 0; x < r.width; x++) {
      int count = 0;
      for (int row = 0; row < samples; row++)
        for (int column = 0; column < samples; column++)
          count += r.inside[(size_t)(y * samples + row) * columns + x * samples + column];
      ink[y * r.width + x] = (count * 255 + samples * samples / 2) / (samples * samples);
    }
  free(r.inside);
  return ink;
}

/* The error of `ink` against the reference, over the pixels in which either has ink. */
static void reference_error(const unsigned char *truth, const unsigned char *ink, int count, double *rms, double *most) {
  double sum = 0, inked = 0;
  *most = 0;
  for (int i = 0; i < count; i++) {
    if (!truth[i] && !ink[i]) continue;
    double error = fabs((double)truth[i] - ink[i]);
    sum += error * error;
    inked++;
    *most = fmax(*most, error);
  }
  *rms = sqrt(sum / fmax(1, inked));
}

#endif
