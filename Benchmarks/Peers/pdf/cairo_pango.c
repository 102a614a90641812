/* cairo and Pango composing the document of .build/bench/pdf/consent.txt, with two signatures as paths: neither tagged
   nor PDF/A. The font map, and with it what was read of fonts, is kept between documents. */

#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <stdlib.h>

#include "bench.h"

#define MARGIN 45.0
#define EDGE 18.0
static const double width = 595.276, height = 841.89;

static char *lines[2048];
static int count;
static char *signature_text;
static double signature_width, signature_height;

struct page {
  cairo_t *context;
  PangoLayout *layout;
  double y;
  int number;
};

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s is missing\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  char *text = malloc((size_t)length + 1);
  text[fread(text, 1, (size_t)length, file)] = 0;
  fclose(file);
  return text;
}

static cairo_status_t keep(void *target, const unsigned char *bytes, unsigned int length) {
  size_t *total = target;
  *total += length;
  bench_keep(bytes);
  return CAIRO_STATUS_SUCCESS;
}

static void set_font(struct page *page, double size, int is_bold) {
  PangoFontDescription *font = pango_font_description_from_string("Noto Sans");
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_font_description_set_weight(font, is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description(page->layout, font);
  pango_font_description_free(font);
}

static void end_page(struct page *page) {
  char text[64];
  snprintf(text, sizeof text, "Page %d of 3", page->number);
  set_font(page, 8.5, 0);
  pango_layout_set_width(page->layout, -1);
  pango_layout_set_text(page->layout, text, -1);
  PangoRectangle extent;
  pango_layout_get_extents(page->layout, NULL, &extent);
  cairo_move_to(page->context, (width - (double)extent.width / PANGO_SCALE) / 2, height - MARGIN - 12);
  pango_cairo_show_layout(page->context, page->layout);
  cairo_show_page(page->context);
  page->number++;
  page->y = MARGIN;
}

/* A paragraph, line by line, over pages where it has to be. */
static void paragraph(struct page *page, const char *text, double left, double room, double size, int is_bold, double gap) {
  set_font(page, size, is_bold);
  pango_layout_set_width(page->layout, (int)(room * PANGO_SCALE));
  pango_layout_set_markup(page->layout, text, -1);
  page->y += gap;
  for (int i = 0; i < pango_layout_get_line_count(page->layout); i++) {
    PangoLayoutLine *line = pango_layout_get_line_readonly(page->layout, i);
    PangoRectangle extent;
    pango_layout_line_get_extents(line, NULL, &extent);
    double above = -(double)extent.y / PANGO_SCALE, all = (double)extent.height / PANGO_SCALE;
    if (page->y + all > height - MARGIN - EDGE) {
      PangoLayout *mine = page->layout;
      page->layout = pango_cairo_create_layout(page->context);
      end_page(page);
      g_object_unref(page->layout);
      page->layout = mine;
    }
    cairo_move_to(page->context, left, page->y + above);
    pango_cairo_show_layout_line(page->context, line);
    page->y += all + 1;
  }
}

static void draw_signature(struct page *page) {
  cairo_t *context = page->context;
  double scale = 220 / signature_width < 50 / signature_height ? 220 / signature_width : 50 / signature_height;
  cairo_save(context);
  cairo_translate(context, MARGIN, page->y + 6);
  cairo_scale(context, scale, scale);
  double numbers[8];
  int have = 0;
  for (char *at = signature_text; *at;) {
    char *end;
    double value = strtod(at, &end);
    if (end != at) {
      if (have < 8) numbers[have++] = value;
      at = end;
      continue;
    }
    if (*at == 'm') cairo_move_to(context, numbers[0], numbers[1]);
    else if (*at == 'l') cairo_line_to(context, numbers[0], numbers[1]);
    else if (*at == 'c') cairo_curve_to(context, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    else if (*at == 'h') cairo_close_path(context);
    else if (*at == 'f') cairo_fill(context);
    if (*at > ' ') have = 0;
    at++;
  }
  cairo_restore(context);
  page->y += 60;
}

static void signer(struct page *page, char *text) {
  static const char *const names[] = {"", "Role: ", "Meaning: ", "Printed name: ", "Date and time: "};
  char copy[1024], row[1200];
  snprintf(copy, sizeof copy, "%s", text);
  char *place = NULL;
  int index = 0;
  for (char *part = strtok_r(copy, "|", &place); part; part = strtok_r(NULL, "|", &place), index++) {
    if (index == 3) draw_signature(page);
    if (index == 0) {
      paragraph(page, part, MARGIN, width - 2 * MARGIN, 12, 1, 20);
    } else {
      snprintf(row, sizeof row, "%s<b>%s</b>", names[index], part);
      paragraph(page, row, MARGIN, width - 2 * MARGIN, 10.5, 0, 4);
    }
  }
}

static void table_row(struct page *page, char *text) {
  char copy[1024];
  snprintf(copy, sizeof copy, "%s", text);
  char *place = NULL;
  int index = 0;
  double top = page->y, room = (width - 2 * MARGIN) / 3, low = top;
  for (char *part = strtok_r(copy, "|", &place); part; part = strtok_r(NULL, "|", &place), index++) {
    page->y = top;
    paragraph(page, part, MARGIN + index * room + 4, room - 8, 10.5, 0, 4);
    if (page->y > low) low = page->y;
  }
  cairo_set_line_width(page->context, 0.5);
  for (index = 0; index < 3; index++) {
    cairo_rectangle(page->context, MARGIN + index * room, top, room, low + 4 - top);
    cairo_stroke(page->context);
  }
  page->y = low + 4;
}

static void run(void) {
  size_t total = 0;
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(keep, &total, width, height);
  struct page page = {cairo_create(surface), NULL, MARGIN, 1};
  page.layout = pango_cairo_create_layout(page.context);
  int is_signing = 0;
  double room = width - 2 * MARGIN;
  for (int i = 0; i < count; i++) {
    char *line = lines[i];
    if (!strncmp(line, "# ", 2)) paragraph(&page, line + 2, MARGIN, room, 20, 1, 0);
    else if (!strncmp(line, "## ", 3)) paragraph(&page, line + 3, MARGIN, room, 14, 1, 12.6);
    else if (!strncmp(line, "p ", 2)) paragraph(&page, line + 2, MARGIN, room, 10.5, 0, 6);
    else if (!strncmp(line, "- ", 2)) {
      double top = page.y;
      paragraph(&page, "•", MARGIN, 16, 10.5, 0, 3);
      if (page.y > top) page.y = top;
      paragraph(&page, line + 2, MARGIN + 16, room - 16, 10.5, 0, 3);
    } else if (!strncmp(line, "| ", 2)) table_row(&page, line + 2);
    else if (!strncmp(line, "s ", 2)) {
      if (!is_signing) end_page(&page);
      is_signing = 1;
      signer(&page, line + 2);
    }
  }
  end_page(&page);
  g_object_unref(page.layout);
  cairo_destroy(page.context);
  cairo_surface_finish(surface);
  cairo_surface_destroy(surface);
  bench_keep(&total);
}

int main(void) {
  char *text = read_all(".build/bench/pdf/consent.txt");
  for (char *line = strtok(text, "\n"); line && count < 2048; line = strtok(NULL, "\n")) lines[count++] = line;
  signature_text = read_all(".build/bench/pdf/signature.txt");
  signature_width = strtod(signature_text, &signature_text);
  signature_height = strtod(signature_text, &signature_text);
  const struct bench_case cases[] = {{"cairo_pango", run, NULL}, {NULL, NULL, NULL}};
  return bench_serve(cases);
}
