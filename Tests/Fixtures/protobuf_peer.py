"""PyPI's protobuf as a second opinion on our codec.

protobuf_peer.py check DESCRIPTORS IN OUT     reads pairs of binary and JSON, compares the two, writes its own of both
protobuf_peer.py make DESCRIPTORS SEED COUNT OUT    makes messages of its own and writes both forms of each

A pair is two pieces, each with its length in four bytes, little-endian, in front.
"""

import random
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, json_format, message_factory, timestamp_pb2
from google.protobuf.descriptor import FieldDescriptor

TYPE = "assent.interop.v1.EveryField"


def message_class(path):
    files = descriptor_pb2.FileDescriptorSet.FromString(open(path, "rb").read()).file
    pool = descriptor_pool.Default()
    for module in (timestamp_pb2, duration_pb2):
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    for file in files:
        if not file.name.startswith("google/"):
            pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(TYPE))


def pieces(path):
    data = open(path, "rb").read()
    offset = 0
    while offset < len(data):
        (length,) = struct.unpack_from("<I", data, offset)
        yield data[offset + 4 : offset + 4 + length]
        offset += 4 + length


def write_pair(file, message):
    text = json_format.MessageToJson(message, indent=None, ensure_ascii=random.random() < 0.5)
    for piece in (message.SerializeToString(deterministic=True), text.encode()):
        file.write(struct.pack("<I", len(piece)) + piece)


def check(message_type, source, target):
    read = list(pieces(source))
    with open(target, "wb") as file:
        for index in range(0, len(read), 2):
            binary = message_type.FromString(read[index])
            text = json_format.Parse(read[index + 1].decode(), message_type())
            left, right = (m.SerializeToString(deterministic=True) for m in (binary, text))
            if left != right:
                sys.exit(f"message {index // 2}: binary says\n{binary}\nJSON says\n{text}")
            write_pair(file, binary)


NUMBERS = {
    "INT32": (-(2**31), 2**31 - 1), "SINT32": (-(2**31), 2**31 - 1), "SFIXED32": (-(2**31), 2**31 - 1),
    "UINT32": (0, 2**32 - 1), "FIXED32": (0, 2**32 - 1),
    "INT64": (-(2**63), 2**63 - 1), "SINT64": (-(2**63), 2**63 - 1), "SFIXED64": (-(2**63), 2**63 - 1),
    "UINT64": (0, 2**64 - 1), "FIXED64": (0, 2**64 - 1),
}
TYPE_NAMES = {value: name[5:] for name, value in vars(FieldDescriptor).items() if name.startswith("TYPE_")}


def text():
    alphabet = "abc \"\\/\b\f\n\r\t\u007f\u0080äß漢\u2028\u2029\ufeff\uffff🙂\U0010ffff<>&'\x01\x1f"
    return "".join(random.choice(alphabet) for _ in range(random.choice([0, 1, 5, 15, 16, 40])))


def scalar(field):
    name = TYPE_NAMES[field.type]
    if name in NUMBERS:
        low, high = NUMBERS[name]
        return random.choice([low, high, 0, 1, random.randint(low, high), random.randint(0, 200)])
    if name == "BOOL":
        return random.random() < 0.5
    if name == "STRING":
        return text()
    if name == "BYTES":
        return random.randbytes(random.choice([0, 1, 2, 3, 50]))
    if name == "ENUM":
        return random.choice([value.number for value in field.enum_type.values] + [12345, -9])
    if name == "FLOAT":
        whole = struct.unpack("<f", random.randbytes(4))[0]
        # Not the largest float of all: json_format writes it with eight digits and then finds that too large.
        return random.choice([whole if whole == whole else 1.5, 0.1, 3.4e38, 1e-45, float("inf")])
    whole = struct.unpack("<d", random.randbytes(8))[0]
    return random.choice([whole if whole == whole else 1.5, 0.1, 1.7976931348623157e308, 5e-324, -float("inf")])


def fill(message, density):
    if message.DESCRIPTOR.full_name == "google.protobuf.Timestamp":
        message.seconds = random.choice([-62135596800, 253402300799, 0, -1, random.randint(-(10**10), 10**10)])
        message.nanos = random.choice([0, 1, 999999999, 5000, 120000000])
        return
    if message.DESCRIPTOR.full_name == "google.protobuf.Duration":
        sign = random.choice([1, -1])
        message.seconds = sign * random.choice([0, 1, 315576000000, random.randint(0, 10**9)])
        message.nanos = sign * random.choice([0, 1, 999999999, 5000, 120000000])
        return
    for field in message.DESCRIPTOR.fields:
        if random.random() > density:
            continue
        value = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            key, item = field.message_type.fields
            for _ in range(random.randint(0, 4)):
                if item.message_type is not None:
                    fill(value[scalar(key)], density)
                else:
                    value[scalar(key)] = scalar(item)
        elif field.message_type is not None and hasattr(value, "add"):
            for _ in range(random.randint(0, 3)):
                fill(value.add(), density)
        elif field.message_type is not None:
            value.SetInParent()
            fill(value, density)
        elif hasattr(value, "extend"):
            value.extend(scalar(field) for _ in range(random.randint(0, 6)))
        else:
            # protobuf-c takes a negative zero for a field that is not set.
            new = scalar(field)
            setattr(message, field.name, new if new != 0 or not isinstance(new, float) else 0.0)


def make(message_type, seed, count, target):
    random.seed(seed)
    with open(target, "wb") as file:
        for _ in range(count):
            message = message_type()
            fill(message, random.choice([0.05, 0.3, 1.0]))
            write_pair(file, message)


if __name__ == "__main__":
    kind, descriptors, *rest = sys.argv[1:]
    if kind == "check":
        check(message_class(descriptors), *rest)
    else:
        make(message_class(descriptors), int(rest[0]), int(rest[1]), rest[2])
