"""Metadata in envelopes."""

from ..metadata import checked


def write(entries, envelope):
    """Adds pairs, or a dict's items, to an envelope."""
    for key, value in checked(entries):
        envelope.metadata.add(key=key, value=value if isinstance(value, bytes) else value.encode("ascii"))


def read(envelope):
    return [
        (entry.key, entry.value if entry.key.endswith("-bin") else entry.value.decode("ascii", "replace"))
        for entry in envelope.metadata
    ]
