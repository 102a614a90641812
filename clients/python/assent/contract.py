"""The contract: methods by their names, from the descriptor set in this package, and messages by theirs.

Messages of Assent are the classes of the generated modules, such as `assent.consent.v1.record_pb2`.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import importlib
import os
import pathlib
from typing import Any, ClassVar, Optional

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


class Kind(enum.IntEnum):
    """How many messages flow, numbered as in assent.bus.v1.MethodKind."""

    UNARY = 1
    CLIENT_STREAMING = 2
    SERVER_STREAMING = 3
    BIDIRECTIONAL = 4

    @property
    def streams_requests(self) -> bool:
        return self in (Kind.CLIENT_STREAMING, Kind.BIDIRECTIONAL)

    @property
    def streams_answers(self) -> bool:
        return self in (Kind.SERVER_STREAMING, Kind.BIDIRECTIONAL)


@dataclasses.dataclass(frozen=True)
class Method:
    """A method of a service."""

    service: str
    name: str
    kind: Kind
    idempotency: int
    roles: tuple[str, ...]
    """The roles of which a caller must have one, as words: what a worker tells the gateways."""
    errors: frozenset[int]
    """The status codes that the contract lists for it, beside those that every method can answer with."""
    request: Any
    """The class of its requests."""
    answer: Any
    """The class of its answers."""

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"

    @property
    def may_repeat(self) -> bool:
        """Whether the method changes nothing, or nothing more when it is called again."""
        return self.idempotency != 0


class Contract:
    """Messages and methods by their names."""

    _shared: ClassVar[Optional[Contract]] = None

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._pool = descriptor_pool.DescriptorPool()
        files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(path).read_bytes()).file
        waiting = {file.name: file for file in files}

        def add(file: Any) -> None:
            for name in file.dependency:
                if name in waiting:
                    add(waiting.pop(name))
            self._pool.Add(file)

        while waiting:
            add(waiting.pop(next(iter(waiting))))
        self.envelope = self.message("assent.bus.v1.Envelope")
        self.envelopes = self.message("assent.bus.v1.Envelopes")
        # Options are only understood by the classes of the pool that knows their extensions.
        self._options = self.message("google.protobuf.MethodOptions")
        self._allow = self._pool.FindExtensionByName("assent.allow")
        self._errors = self._pool.FindExtensionByName("assent.errors")

    @classmethod
    def shared(cls) -> Contract:
        """The contract that this package came with."""
        if cls._shared is None:
            cls._shared = cls(pathlib.Path(__file__).parent / "contract.binpb")
        return cls._shared

    def message(self, name: str) -> Any:
        """The class of a message, by its full name."""
        return self._class(self._pool.FindMessageTypeByName(name))

    @staticmethod
    def _class(described: Any) -> Any:
        file = described.file.name
        if not file.startswith("assent/"):
            return message_factory.GetMessageClass(described)
        names = []
        while described is not None:
            names.insert(0, described.name)
            described = described.containing_type
        module = importlib.import_module(file.removesuffix(".proto").replace("/", ".") + "_pb2")
        return functools.reduce(getattr, names, module)

    def service(self, name: str) -> dict[str, Method]:
        """The methods of a service, by their names."""
        return {method.name: self._method(name, method) for method in self._pool.FindServiceByName(name).methods}

    def _roles(self, options: Any) -> tuple[str, ...]:
        words = self._pool.FindEnumTypeByName("assent.Permission.Role").values_by_number
        numbers = {role for permission in options.Extensions[self._allow] for role in permission.role}
        return tuple(sorted(words[number].name.lower() for number in numbers))

    def _method(self, service: str, described: Any) -> Method:
        proto = descriptor_pb2.MethodDescriptorProto()
        described.CopyToProto(proto)
        options = self._options.FromString(proto.options.SerializeToString())
        kinds = {
            (False, False): Kind.UNARY,
            (True, False): Kind.CLIENT_STREAMING,
            (False, True): Kind.SERVER_STREAMING,
            (True, True): Kind.BIDIRECTIONAL,
        }
        return Method(
            service=service,
            name=described.name,
            kind=kinds[(proto.client_streaming, proto.server_streaming)],
            # NO_SIDE_EFFECTS and IDEMPOTENT have the same numbers in protobuf and on the bus.
            idempotency=options.idempotency_level,
            roles=self._roles(options),
            errors=frozenset(error.code for error in options.Extensions[self._errors]),
            request=self._class(described.input_type),
            answer=self._class(described.output_type),
        )
