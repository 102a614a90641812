// The codec's peer: protobuf for C++. Reads the encoded messages that the bench has written; built with protoc's
// output.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "assent/interop/v1/interop.pb.h"
#include "bench.h"

using assent::interop::v1::MixedMessage;
using assent::interop::v1::PackedFloats;

static std::string mixed_bytes, packed_bytes;
static MixedMessage mixed;
static PackedFloats packed;

static std::string contents(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

template <typename Message>
static void encode(const Message &message) {
  std::string bytes;
  message.SerializeToString(&bytes);
  bench_keep(bytes.data());
}

template <typename Message>
static void decode(const std::string &bytes) {
  Message message;
  if (!message.ParseFromString(bytes)) exit(1);
  bench_keep(&message);
}

int main() {
  mixed_bytes = contents(".build/bench/codec/mixed.binpb");
  packed_bytes = contents(".build/bench/codec/packed.binpb");
  if (!mixed.ParseFromString(mixed_bytes) || !packed.ParseFromString(packed_bytes)) return 1;
  static const bench_case cases[] = {
      {"mixed_encode", [] { encode(mixed); }, nullptr},
      {"mixed_decode", [] { decode<MixedMessage>(mixed_bytes); }, nullptr},
      {"packed_encode", [] { encode(packed); }, nullptr},
      {"packed_decode", [] { decode<PackedFloats>(packed_bytes); }, nullptr},
      {nullptr, nullptr, nullptr}};
  return bench_serve(cases);
}
