/* The contract, in the program. */
#ifndef ASSENT_DESCRIPTORS_H
#define ASSENT_DESCRIPTORS_H

#include <stddef.h>

/* The bytes of proto/assent.binpb, which live as long as the program, and their number. */
const unsigned char *assent_descriptors(size_t *count);

/* The file of this index below proto/, or NULL behind the last one. */
const unsigned char *assent_proto_file(size_t index, const char **name, size_t *count);

#endif
