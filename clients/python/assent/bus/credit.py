"""How a worker divides its slots between its gateways. No threads, no sockets."""


class Promise:
    """How many calls one session may have been given, and how many it has been."""

    def __init__(self, credit):
        self.granted = credit
        self.started = 0
        self.demand = 0
        """How many calls wait at the gateway, as its last PING said."""
        self.open = 0
        """How many calls of the session are here."""

    @property
    def unused(self):
        return self.granted - self.started

    def takes(self):
        """Counts a call; False when the gateway had no credit for it."""
        if self.unused <= 0:
            return False
        self.started += 1
        self.open += 1
        return True

    def raised(self, unused):
        """The new credit, if `unused` calls are more than what is left of the old one; otherwise None."""
        if unused <= self.unused:
            return None
        self.granted = self.started + unused
        return self.granted

    # For several gateways.

    def reserved(self, ahead):
        """Slots that were promised and not used.

        A promise cannot be taken back. Where no call waits it counts as one slot, for it is unlikely to be used.
        """
        slots = max(0, self.unused - ahead)
        return min(1, slots) if self.demand == 0 else slots

    def least(self, free):
        """One slot while any is free; a gateway that finds all taken by others gets one call, and no more."""
        return 1 if free > 0 or self.open == 0 else 0


def raises(promises, free, ahead):
    """The sessions whose credit is to be raised, with their new credit.

    `promises` has a Promise for each session, `free` is the number of free slots, `ahead` how many calls may wait here.
    With several gateways the slots go where calls wait, and each keeps at least one.
    """
    if len(promises) == 1:
        [(session, promise)] = promises.items()
        wanted = [(session, promise, free + ahead)]
    else:
        wanted = list(_shares(promises, free, ahead))
    raised = [(session, promise.raised(unused)) for session, promise, unused in wanted]
    return [(session, credit) for session, credit in raised if credit is not None]


def _shares(promises, free, ahead):
    total = sum(promise.demand + promise.open + 1 for promise in promises.values())
    left = free - sum(promise.reserved(ahead) for promise in promises.values())
    for session, promise in promises.items():
        has = max(0, promise.unused - ahead)
        least = promise.least(free)
        share = max(least, free * (promise.demand + promise.open + 1) // total)
        # A gateway without credit always gets its minimum; otherwise a busy one would shut out the others.
        slots = max(least, min(share, left)) if has == 0 else max(has, min(share, has + left))
        left -= max(0, slots - has)
        yield session, promise, slots + ahead
