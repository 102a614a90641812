/* cairo, drawing what signature_pad draws on a canvas: circles along each curve, filled, ARGB32, written as PNG.
 *
 * Cases: `png NAME` is the nanoseconds of one picture of the signature `.build/bench/ink/NAME.txt`, `bytes NAME` its
 * size; `write NAME FILE` puts it into `.build/bench/ink/FILE`, and answers with its width. `rms NAME` and `most NAME`
 * are its error, in steps of 255 against the reference; `rms NAME FILE` and `most NAME FILE` that of the picture in
 * `.build/bench/ink/FILE`. */
#include <cairo.h>
#include "bench.h"
#include "reference.h"

static void draw_dot(void *context, Point p, double radius) {
  cairo_new_path(context);
  cairo_arc(context, p.x, p.y, radius, 0, 2 * M_PI);
  cairo_fill(context);
}

static void draw_curve(void *context, const Curve *c) {
  int steps = ceil(pad_length(c)) * 2;
  cairo_new_path(context);
  for (int i = 0; i < steps; i++) {
    double t = (double)i / steps, radius = fmin(pad_radius(c, t), pad_maximum);
    Point p = pad_at(c, t);
    cairo_move_to(context, p.x + radius, p.y);
    cairo_arc(context, p.x, p.y, radius, 0, 2 * M_PI);
  }
  cairo_close_path(context);
  cairo_fill(context);
}

static cairo_surface_t *draw(const Signature *s) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, s->width, s->height);
  cairo_t *context = cairo_create(surface);
  cairo_set_source_rgb(context, 1, 1, 1);
  cairo_paint(context);
  cairo_set_source_rgb(context, 0, 0, 0);
  pad_walk(s, draw_dot, draw_curve, context);
  cairo_destroy(context);
  cairo_surface_flush(surface);
  return surface;
}

static cairo_status_t count_bytes(void *count, const unsigned char *bytes, unsigned length) {
  (void)bytes;
  *(size_t *)count += length;
  return CAIRO_STATUS_SUCCESS;
}

static size_t picture(const Signature *s) {
  size_t bytes = 0;
  cairo_surface_t *surface = draw(s);
  cairo_surface_write_to_png_stream(surface, count_bytes, &bytes);
  cairo_surface_destroy(surface);
  return bytes;
}

static int write_picture(const Signature *s, const char *path) {
  cairo_surface_t *surface = draw(s);
  int isWritten = cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS;
  cairo_surface_destroy(surface);
  return isWritten ? (int)s->width : -1;
}

/* The ink of a surface, as one byte for each pixel. */
static unsigned char *ink_of(cairo_surface_t *surface, int width, int height) {
  if (cairo_image_surface_get_width(surface) != width || cairo_image_surface_get_height(surface) != height) return NULL;
  unsigned char *ink = malloc((size_t)width * height);
  for (int y = 0; y < height; y++) {
    const unsigned char *row = cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
    for (int x = 0; x < width; x++) ink[y * width + x] = 255 - row[4 * x + 1];
  }
  cairo_surface_destroy(surface);
  return ink;
}

static double error_of(const Signature *s, const char *png, int most) {
  cairo_surface_t *surface = *png ? cairo_image_surface_create_from_png(png) : draw(s);
  unsigned char *ink = ink_of(surface, s->width, s->height), *truth = reference_make(s);
  double rms = -1, greatest = -1;
  if (ink) reference_error(truth, ink, s->width * s->height, &rms, &greatest);
  free(ink);
  free(truth);
  return most ? greatest : rms;
}

static Signature current;

static void run(void) { picture(&current); }

int main(void) {
  char line[256];
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (fgets(line, sizeof line, stdin)) {
    char what[16] = "", name[64] = "", file[64] = "", path[512], png[512] = "";
    sscanf(line, "%15s %63s %63s", what, name, file);
    snprintf(path, sizeof path, ".build/bench/ink/%s.txt", name);
    if (*file) snprintf(png, sizeof png, ".build/bench/ink/%s", file);
    current = pad_load(path);
    if (!strcmp(what, "png")) printf("%.3f\n", bench_time(run));
    else if (!strcmp(what, "write")) printf("%d\n", write_picture(&current, png));
    else if (!strcmp(what, "bytes")) printf("%zu\n", picture(&current));
    else if (!strcmp(what, "rms")) printf("%.3f\n", error_of(&current, png, 0));
    else if (!strcmp(what, "most")) printf("%.3f\n", error_of(&current, png, 1));
    else printf("there is no case '%s'\n", what);
    pad_free(&current);
  }
  return 0;
}
