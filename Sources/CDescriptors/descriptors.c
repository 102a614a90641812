#include "assent_descriptors.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char set[] = {
#embed "../../proto/assent.binpb"
};

const unsigned char *assent_descriptors(size_t *count) {
  *count = sizeof set;
  return set;
}

// Each file of proto/ and the table of them, by scripts/generate.
#include "files.inc"

const unsigned char *assent_proto_file(size_t index, const char **name, size_t *count) {
  if (index >= sizeof files / sizeof files[0]) return NULL;
  *name = files[index].name;
  *count = files[index].count;
  return files[index].bytes;
}
