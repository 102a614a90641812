"""The codec's peer: PyPI's protobuf, whose binary codec is upb and whose JSON codec is Python."""

from bench import serve
from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, json_format, message_factory, timestamp_pb2

pool = descriptor_pool.Default()
for module in (timestamp_pb2, duration_pb2):
    pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
for file in descriptor_pb2.FileDescriptorSet.FromString(open("proto/assent.binpb", "rb").read()).file:
    if not file.name.startswith("google/"):
        pool.AddSerializedFile(file.SerializeToString())


def message_class(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"assent.interop.v1.{name}"))


Mixed, Packed = message_class("MixedMessage"), message_class("PackedFloats")
mixed_bytes, packed_bytes = (
    open(f".build/bench/codec/{name}.binpb", "rb").read() for name in ("mixed", "packed")
)
mixed, packed = Mixed.FromString(mixed_bytes), Packed.FromString(packed_bytes)
text = json_format.MessageToJson(mixed, indent=None)

serve(
    {
        "mixed_encode": mixed.SerializeToString,
        "mixed_decode": lambda: Mixed.FromString(mixed_bytes),
        "packed_encode": packed.SerializeToString,
        "packed_decode": lambda: Packed.FromString(packed_bytes),
        "json_encode": lambda: json_format.MessageToJson(mixed, indent=None),
        "json_decode": lambda: json_format.Parse(text, Mixed()),
    }
)
