/* signature_pad 5's geometry in a plain second version, for the peers to draw and for the reference to measure
 * against. Doubles throughout, as in a browser. */
#ifndef ASSENT_PEERS_PAD_H
#define ASSENT_PEERS_PAD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, time; } Point;
typedef struct { int count; Point *points; } Stroke;
typedef struct { double width, height; int count; Stroke *strokes; } Signature;
typedef struct { Point a, b, c, d; double from, to; } Curve;

static const double pad_minimum = 0.5, pad_maximum = 2.5, pad_weight = 0.7;

static double pad_distance(Point a, Point b) { return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

/* A pad drops samples within 5 pixels of the last kept one. */
static void pad_filter(Stroke *stroke) {
  int kept = 0;
  for (int i = 0; i < stroke->count; i++)
    if (!kept || pad_distance(stroke->points[i], stroke->points[kept - 1]) > 5) stroke->points[kept++] = stroke->points[i];
  stroke->count = kept;
}

/* A text file: width, height, number of strokes; for each stroke its number of points and x y time of each. */
static Signature pad_load(const char *path) {
  Signature s = {0};
  FILE *file = fopen(path, "r");
  if (!file) { fprintf(stderr, "no file %s\n", path); exit(2); }
  if (fscanf(file, "%lf %lf %d", &s.width, &s.height, &s.count) != 3) exit(2);
  s.strokes = calloc(s.count, sizeof(Stroke));
  for (int i = 0; i < s.count; i++) {
    Stroke *stroke = &s.strokes[i];
    if (fscanf(file, "%d", &stroke->count) != 1) exit(2);
    stroke->points = calloc(stroke->count, sizeof(Point));
    for (int j = 0; j < stroke->count; j++) {
      Point *p = &stroke->points[j];
      if (fscanf(file, "%lf %lf %lf", &p->x, &p->y, &p->time) != 3) exit(2);
    }
    pad_filter(stroke);
  }
  fclose(file);
  return s;
}

static void pad_free(Signature *s) {
  for (int i = 0; i < s->count; i++) free(s->strokes[i].points);
  free(s->strokes);
}

static void pad_controls(Point p, Point q, Point r, Point *before, Point *after) {
  double l1 = pad_distance(p, q), l2 = pad_distance(q, r);
  Point m1 = {(p.x + q.x) / 2, (p.y + q.y) / 2, 0}, m2 = {(q.x + r.x) / 2, (q.y + r.y) / 2, 0};
  double k = l1 + l2 == 0 ? 0 : l2 / (l1 + l2);
  double cx = m2.x + (m1.x - m2.x) * k, cy = m2.y + (m1.y - m2.y) * k;
  *before = (Point){m1.x + q.x - cx, m1.y + q.y - cy, 0};
  *after = (Point){m2.x + q.x - cx, m2.y + q.y - cy, 0};
}

static Point pad_at(const Curve *c, double t) {
  double u = 1 - t, b0 = u * u * u, b1 = 3 * u * u * t, b2 = 3 * u * t * t, b3 = t * t * t;
  return (Point){b0 * c->a.x + b1 * c->b.x + b2 * c->c.x + b3 * c->d.x,
                 b0 * c->a.y + b1 * c->b.y + b2 * c->c.y + b3 * c->d.y, 0};
}

static double pad_length(const Curve *c) {
  double length = 0;
  Point last = c->a;
  for (int i = 1; i <= 10; i++) {
    Point p = pad_at(c, i / 10.0);
    length += pad_distance(p, last);
    last = p;
  }
  return length;
}

static double pad_radius(const Curve *c, double t) { return c->from + t * t * t * (c->to - c->from); }

/* Calls `dot` or `curve` for each part of a signature, the last segment of each stroke included. */
static void pad_walk(const Signature *s, void (*dot)(void *, Point, double), void (*curve)(void *, const Curve *),
                     void *context) {
  for (int i = 0; i < s->count; i++) {
    const Stroke *stroke = &s->strokes[i];
    const Point *p = stroke->points;
    double velocity = 0, width = (pad_minimum + pad_maximum) / 2;
    if (stroke->count == 1) dot(context, p[0], width);
    for (int j = 1; j < stroke->count; j++) {
      Point before = p[j > 1 ? j - 2 : 0], after = p[j + 1 < stroke->count ? j + 1 : j], unused;
      Curve c = {.a = p[j - 1], .d = p[j], .from = width};
      /* The pad hands its two controls over the other way round. */
      pad_controls(p[j - 1], p[j], after, &c.b, &unused);
      pad_controls(before, p[j - 1], p[j], &unused, &c.c);
      double elapsed = p[j].time - p[j - 1].time;
      double now = elapsed > 0 ? pad_distance(p[j], p[j - 1]) / elapsed : 0;
      velocity = pad_weight * now + (1 - pad_weight) * velocity;
      width = fmax(pad_maximum / (velocity + 1), pad_minimum);
      c.to = width;
      curve(context, &c);
    }
  }
}

#endif
