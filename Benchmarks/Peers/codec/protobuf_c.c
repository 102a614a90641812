/* The codec's peer: bare protobuf-c with malloc. Reads the encoded messages that the bench has written. */
#include <stdlib.h>

#include "assent/interop/v1/interop.pb-c.h"
#include "bench.h"

typedef Assent__Interop__V1__MixedMessage Mixed;
typedef Assent__Interop__V1__PackedFloats Packed;

#define MIXED (&assent__interop__v1__mixed_message__descriptor)
#define PACKED (&assent__interop__v1__packed_floats__descriptor)

static uint8_t *mixed_bytes, *packed_bytes;
static size_t mixed_size, packed_size;
static Mixed *mixed;
static Packed *packed;

static uint8_t *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  uint8_t *bytes = malloc(1 << 20);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

static void encode(const ProtobufCMessage *message) {
  size_t size = protobuf_c_message_get_packed_size(message);
  uint8_t *bytes = malloc(size);
  protobuf_c_message_pack(message, bytes);
  bench_keep(bytes);
  free(bytes);
}

static void *decode(const ProtobufCMessageDescriptor *type, size_t size, const uint8_t *bytes) {
  ProtobufCMessage *message = protobuf_c_message_unpack(type, NULL, size, bytes);
  if (!message) exit(1);
  return message;
}

static void decode_once(const ProtobufCMessageDescriptor *type, size_t size, const uint8_t *bytes) {
  ProtobufCMessage *message = decode(type, size, bytes);
  bench_keep(message);
  protobuf_c_message_free_unpacked(message, NULL);
}

static void mixed_encode(void) { encode(&mixed->base); }
static void packed_encode(void) { encode(&packed->base); }

static void mixed_decode(void) { decode_once(MIXED, mixed_size, mixed_bytes); }
static void packed_decode(void) { decode_once(PACKED, packed_size, packed_bytes); }

int main(void) {
  mixed_bytes = contents(".build/bench/codec/mixed.binpb", &mixed_size);
  packed_bytes = contents(".build/bench/codec/packed.binpb", &packed_size);
  mixed = decode(MIXED, mixed_size, mixed_bytes);
  packed = decode(PACKED, packed_size, packed_bytes);
  static const struct bench_case cases[] = {
    {"mixed_encode", mixed_encode, NULL},   {"mixed_decode", mixed_decode, NULL},
    {"packed_encode", packed_encode, NULL}, {"packed_decode", packed_decode, NULL},
    {NULL, NULL, NULL}};
  return bench_serve(cases);
}
