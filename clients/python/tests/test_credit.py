import unittest

from assent.bus.credit import Promise, raises


def promise(granted, started=0, demand=0, open=0):
    made = Promise(granted)
    made.started, made.demand, made.open = started, demand, open
    return made


class RaisesTests(unittest.TestCase):
    def test_one_gateway_gets_all_that_is_free(self):
        self.assertEqual(raises({"a": promise(5, started=3)}, free=4, ahead=1), [("a", 8)])

    def test_credit_is_never_lowered(self):
        self.assertEqual(raises({"a": promise(5)}, free=1, ahead=0), [])

    def test_slots_go_where_calls_wait(self):
        promises = {"a": promise(4, started=4, demand=20), "b": promise(1)}
        self.assertEqual(raises(promises, free=4, ahead=0), [("a", 7)])

    def test_a_gateway_without_credit_gets_one_slot_however_busy_another_is(self):
        promises = {"a": promise(4, started=0, demand=1000), "b": promise(1, started=1)}
        self.assertEqual(dict(raises(promises, free=4, ahead=0))["b"], 2)

    def test_a_gateway_whose_calls_hold_no_slot_gets_one_even_when_none_is_free(self):
        promises = {"a": promise(4, started=4, open=4), "b": promise(1, started=1)}
        self.assertEqual(raises(promises, free=0, ahead=0), [("b", 2)])

    def test_what_was_promised_where_no_call_waits_counts_as_one_slot(self):
        promises = {"a": promise(0, demand=9), "b": promise(4)}
        self.assertEqual(raises(promises, free=4, ahead=0), [("a", 3)])


class PromiseTests(unittest.TestCase):
    def test_takes_no_more_calls_than_were_promised(self):
        made = Promise(1)
        self.assertEqual([made.takes(), made.takes()], [True, False])
        self.assertEqual((made.started, made.open), (1, 1))
