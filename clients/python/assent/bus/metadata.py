"""Metadata as pairs of a key and its value: bytes under a key that ends in -bin, text under any other."""


def write(entries, envelope):
    """Adds pairs, or a dict's items, to an envelope."""
    for key, value in entries.items() if isinstance(entries, dict) else entries:
        envelope.metadata.add(key=key, value=value if isinstance(value, bytes) else value.encode("ascii"))


def read(envelope):
    return [
        (entry.key, entry.value if entry.key.endswith("-bin") else entry.value.decode("ascii", "replace"))
        for entry in envelope.metadata
    ]
