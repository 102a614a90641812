import unittest

from assent.bus.envelopes import (
    LONGEST_STATUS_MESSAGE,
    MOST_ENVELOPES,
    Message,
    Type,
    envelope,
    keep_to_bounds,
    parsed,
)


def message(*envelopes):
    message = Message()
    for added in envelopes:
        message.add(added)
    return message.frames


def calls(frames):
    return [envelope.call_id for envelope in parsed(frames)]


class ParsedTests(unittest.TestCase):
    def test_gives_all_envelopes_and_the_last_its_payload(self):
        large = bytes(2000)
        frames = message(envelope(Type.DATA, call_id=1, payload=b"a"), envelope(Type.DATA, call_id=2, payload=large))
        self.assertEqual(len(frames), 2)
        self.assertEqual([(each.call_id, each.payload) for each in parsed(frames)], [(1, b"a"), (2, large)])
        self.assertEqual(calls(message(*[envelope(Type.PING, call_id=n) for n in range(MOST_ENVELOPES)])), list(range(MOST_ENVELOPES)))

    def test_wherever_a_message_is_cut_off_what_came_whole_is_read(self):
        parts = [message(envelope(Type.CANCEL, call_id=number))[0] for number in (1, 2, 3)]
        whole = b"".join(parts)
        for cut in range(len(whole)):
            self.assertEqual(calls([whole[:cut]]), [1, 2, 3][: cut // len(parts[0])])

    def test_what_stands_before_a_fault_is_read_and_nothing_behind_it(self):
        [one], [two] = message(envelope(Type.CANCEL, call_id=1)), message(envelope(Type.CANCEL, call_id=2))
        for fault in (
            b"\x0a\x01\xff",  # a malformed envelope
            b"\x12\x00",  # another field
            b"\x0a\xff\xff\xff\x01",  # a length larger than any frame
            message(envelope(Type.DATA, payload=bytes(2000)))[0],  # one without its announced payload
        ):
            self.assertEqual(calls([one + fault + two]), [1])

    def test_a_payload_that_was_not_announced_leaves_the_last_envelope_unread(self):
        [one], [two] = message(envelope(Type.CANCEL, call_id=1)), message(envelope(Type.CANCEL, call_id=2))
        self.assertEqual(calls([one + two, b"payload"]), [1])
        self.assertEqual(calls([one + two, b"payload", b"more"]), [])

    def test_takes_no_more_envelopes_than_a_message_may_have(self):
        [one] = message(envelope(Type.CANCEL, call_id=1))
        self.assertEqual(len(parsed([one * (MOST_ENVELOPES + 1)])), MOST_ENVELOPES)
        self.assertEqual(parsed([b""]), [])


class StatusTests(unittest.TestCase):
    def test_what_is_beyond_the_bounds_is_cut_or_left_out(self):
        for count in (10, 30_000, 100_000):
            status = envelope(Type.STATUS, call_id=1, status_message="e" + "\u0301" * count)
            status.status_details.add(type_name="a.B", value=bytes(count))
            status.metadata.add(key="retry-after-ms", value=b"5")
            keep_to_bounds(status)
            self.assertLessEqual(len(status.status_message.encode()), LONGEST_STATUS_MESSAGE)
            self.assertTrue(status.status_message.startswith("e\u0301"))
            self.assertEqual(len(status.status_details), 0 if count == 100_000 else 1)
            self.assertEqual(len(status.metadata), 1)
            self.assertEqual(calls(message(status)), [1])
