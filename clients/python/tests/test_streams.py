import unittest

from assent.bus import StatusCode, StatusError
from assent.bus.streams import Incoming, Outgoing

WINDOW = 65_536


class OutgoingTests(unittest.TestCase):
    def test_a_message_stands_behind_its_length(self):
        outgoing = Outgoing()
        outgoing.put(b"abc")
        self.assertEqual(outgoing.next_chunk(), (0, b"\0\0\0\x03abc"))
        self.assertTrue(outgoing.is_empty)
        outgoing.put(b"")
        self.assertEqual(outgoing.next_chunk(), (7, b"\0\0\0\0"))

    def test_stops_at_the_window_and_goes_on_when_it_is_raised(self):
        outgoing = Outgoing()
        outgoing.put(bytes(100_000))
        offset, chunk = outgoing.next_chunk()
        self.assertEqual((offset, len(chunk)), (0, WINDOW))
        self.assertIsNone(outgoing.next_chunk())
        outgoing.raise_limit(WINDOW + 10)
        outgoing.raise_limit(5)  # a lower limit than before is ignored
        offset, chunk = outgoing.next_chunk()
        self.assertEqual((offset, len(chunk)), (WINDOW, 10))
        self.assertFalse(outgoing.is_empty)


class IncomingTests(unittest.TestCase):
    def test_chunks_may_end_anywhere(self):
        sent = b"\0\0\0\x03abc\0\0\0\0\0\0\0\x01d"
        for cut in range(len(sent)):
            incoming = Incoming()
            incoming.take(0, sent[:cut])
            incoming.take(cut, sent[cut:])
            self.assertEqual([incoming.pop(), incoming.pop(), incoming.pop(), incoming.pop()], [b"abc", b"", b"d", None])

    def test_a_gap_and_a_chunk_beyond_the_window_end_the_call(self):
        for offset, size in [(1, 1), (0, WINDOW + 1)]:
            with self.assertRaises(StatusError):
                Incoming().take(offset, bytes(size))

    def test_the_window_grows_for_the_message_under_way(self):
        incoming = Incoming()
        incoming.take(0, (1_000_000).to_bytes(4, "big"))
        self.assertEqual(incoming.raised_window(), 4 + 524_288)
        self.assertIsNone(incoming.raised_window())
        incoming.take(4, bytes(500_000))
        self.assertEqual(incoming.raised_window(), 1_000_004)
        incoming.take(500_004, bytes(500_000))
        self.assertIsNone(incoming.raised_window())

    def test_the_window_grows_as_messages_are_consumed(self):
        incoming = Incoming()
        incoming.take(0, (50_000).to_bytes(4, "big") + bytes(50_000))
        self.assertIsNone(incoming.raised_window())
        incoming.pop()
        self.assertEqual(incoming.raised_window(), 50_004 + WINDOW)

    def test_a_message_beyond_the_bound_is_refused_by_its_length(self):
        with self.assertRaises(StatusError) as caught:
            Incoming().take(0, (33_554_433).to_bytes(4, "big"))
        self.assertEqual(caught.exception.code, StatusCode.RESOURCE_EXHAUSTED)
