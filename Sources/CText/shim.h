/* What typesetting whole documents needs: HarfBuzz with its subsetter, and ICU's bidirectional order and line ends.
   ICU's functions have their version in their names: here they get names that stay. */
#ifndef ASSENT_CTEXT_H
#define ASSENT_CTEXT_H

#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb-subset.h>
#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

/* The embedding levels of a paragraph in UTF-16; 0 when there is no memory. base: 0 or 1. */
static inline int ctext_bidi_levels(const uint16_t *text, int32_t length, uint8_t base, uint8_t *levels) {
  UErrorCode status = U_ZERO_ERROR;
  UBiDi *bidi = ubidi_openSized(length, 0, &status);
  if (U_FAILURE(status)) return 0;
  ubidi_setPara(bidi, (const UChar *)text, length, base, NULL, &status);
  const UBiDiLevel *found = U_SUCCESS(status) ? ubidi_getLevels(bidi, &status) : NULL;
  int good = U_SUCCESS(status) && found;
  for (int32_t index = 0; good && index < length; index++) levels[index] = found[index];
  ubidi_close(bidi);
  return good;
}

/* The direction of a letter: 1 from left to right, 2 from right to left, 0 that of the letters around it. */
static inline int ctext_direction(uint32_t scalar) {
  UCharDirection direction = u_charDirection((UChar32)scalar);
  if (direction == U_LEFT_TO_RIGHT) return 1;
  return direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC ? 2 : 0;
}

/* An iterator over line breaks by a language's rules; NULL when ICU has no rules for it or no memory. */
static inline void *ctext_lines_open(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *lines = ubrk_open(UBRK_LINE, locale, NULL, 0, &status);
  return U_SUCCESS(status) ? (void *)lines : NULL;
}

static inline void ctext_lines_close(void *lines) { ubrk_close((UBreakIterator *)lines); }

/* Marks each place before which a line may end (1) or must end (2). */
static inline int ctext_lines_mark(void *lines, const uint16_t *text, int32_t length, uint8_t *marks) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *iterator = (UBreakIterator *)lines;
  ubrk_setText(iterator, (const UChar *)text, length, &status);
  if (U_FAILURE(status)) return 0;
  for (int32_t at = ubrk_next(iterator); at != UBRK_DONE && at <= length; at = ubrk_next(iterator))
    marks[at] = ubrk_getRuleStatus(iterator) >= UBRK_LINE_HARD ? 2 : 1;
  return 1;
}

/* Whether a character is invisible by itself, so that no font has to have it. */
static inline int ctext_is_ignorable(uint32_t scalar) {
  return u_hasBinaryProperty((UChar32)scalar, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

/* Whether a character belongs to the letter before it. */
static inline int ctext_is_mark(uint32_t scalar) {
  int8_t type = u_charType((UChar32)scalar);
  return type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_COMBINING_SPACING_MARK;
}

/* Writes what a compatibility character of older encodings stands for, in UTF-16; returns its length, or 0. */
static inline int32_t ctext_compatible(uint32_t scalar, uint16_t *room, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *rules = unorm2_getNFKCInstance(&status);
  if (U_FAILURE(status)) return 0;
  int32_t length = unorm2_getDecomposition(rules, (UChar32)scalar, (UChar *)room, capacity, &status);
  return U_SUCCESS(status) && length > 0 ? length : 0;
}

#endif
