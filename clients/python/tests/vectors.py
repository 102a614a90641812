"""The golden vectors in clients/vectors: how their files are read, and how what they describe is compared."""

import json
import pathlib

from assent.bus.envelopes import Type, envelope

FOLDER = pathlib.Path(__file__).parents[2] / "vectors"
SIGNS_OF_LIFE = {Type.PING, Type.PONG, Type.CREDIT}


def entries(file, heading):
    return json.loads((FOLDER / f"{file}.json").read_text())[heading]


def octets(text):
    """Bytes in the notation of the vectors: hexadecimal, in words of which each may be repeated."""
    words = (word.partition("*") for word in text.split())
    return b"".join(bytes.fromhex(piece) * int(count or 1) for piece, _, count in words)


def written(text):
    """Text in the notation of the vectors: as it stands, or a piece of it so many times."""
    return text if isinstance(text, str) else text["text"] * text["times"]


def built(fields, numbers=()):
    """The envelope that a vector describes, with named calls replaced by their numbers."""
    made = envelope(Type[fields["type"]])
    _fill(made, {name: value for name, value in fields.items() if name != "type"}, dict(numbers))
    return made


def _fill(message, fields, numbers):
    for name, value in fields.items():
        field = message.DESCRIPTOR.fields_by_name[name]
        if field.message_type is not None:
            part = getattr(message, name)
            if isinstance(value, list):
                for element in value:
                    _fill(part.add(), element, numbers)
            else:
                part.SetInParent()
                _fill(part, value, numbers)
        elif isinstance(value, list):
            getattr(message, name).extend(_value(field, element, numbers) for element in value)
        else:
            setattr(message, name, _value(field, value, numbers))


def _value(field, value, numbers):
    if field.enum_type is not None:
        return next(each.number for each in field.enum_type.values if each.name.endswith(f"_{value}"))
    if field.type == field.TYPE_BYTES:
        return octets(value)
    if field.type == field.TYPE_STRING:
        return written(value)
    return numbers[value] if field.name == "call_id" and isinstance(value, str) else value


class Script:
    """What a conversation has said so far: who named which call how, and which envelopes were not spoken of yet."""

    def __init__(self, test):
        self._test = test
        self.numbers = {}
        self._epochs = {}

    def compare(self, fields, found, link):
        """Every field that the vector names has the value that it states."""
        fields = dict(fields)
        name = fields.get("call_id")
        if isinstance(name, str):
            self.numbers.setdefault(name, found.call_id)
        if "status_message_bytes" in fields:
            least, most = fields.pop("status_message_bytes")
            length = len(found.status_message.encode())
            self._test.assertTrue(least <= length <= most, length)
        if "hello" in fields and "epoch" in fields["hello"]:
            fields["hello"] = dict(fields["hello"])
            self._compare_epoch(fields["hello"].pop("epoch"), found.hello.epoch, link)
        self._compare(fields, found)

    def _compare_epoch(self, rule, epoch, link):
        if rule == "new":
            self._test.assertGreater(epoch, self._epochs.get(link, 0))
        else:
            self._test.assertEqual(epoch, self._epochs.get(link))
        self._epochs[link] = epoch

    def _compare(self, fields, found):
        for name, value in fields.items():
            field = found.DESCRIPTOR.fields_by_name[name]
            actual = getattr(found, name)
            if field.message_type is None:
                expected = Type[value] if name == "type" else _value(field, value, self.numbers)
                self._test.assertEqual(actual, expected, name)
            elif isinstance(value, list):
                self._test.assertEqual(len(actual), len(value), name)
                for expected, element in zip(value, actual):
                    self._compare(expected, element)
            else:
                self._compare(value, actual)
