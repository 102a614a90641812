from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CALLER_KIND_DEVICE: CallerKind
CALLER_KIND_OPERATOR: CallerKind
CALLER_KIND_PERSON: CallerKind
CALLER_KIND_SERVICE: CallerKind
CALLER_KIND_STRANGER: CallerKind
CALLER_KIND_UNSPECIFIED: CallerKind
DESCRIPTOR: _descriptor.FileDescriptor
ENVELOPE_TYPE_BYE: EnvelopeType
ENVELOPE_TYPE_CANCEL: EnvelopeType
ENVELOPE_TYPE_CREDIT: EnvelopeType
ENVELOPE_TYPE_DATA: EnvelopeType
ENVELOPE_TYPE_GOAWAY: EnvelopeType
ENVELOPE_TYPE_HALF_CLOSE: EnvelopeType
ENVELOPE_TYPE_HELLO: EnvelopeType
ENVELOPE_TYPE_HELLO_ACK: EnvelopeType
ENVELOPE_TYPE_HELLO_REQUEST: EnvelopeType
ENVELOPE_TYPE_OPEN: EnvelopeType
ENVELOPE_TYPE_PING: EnvelopeType
ENVELOPE_TYPE_PONG: EnvelopeType
ENVELOPE_TYPE_REJECT: EnvelopeType
ENVELOPE_TYPE_STATUS: EnvelopeType
ENVELOPE_TYPE_UNSPECIFIED: EnvelopeType
ENVELOPE_TYPE_WINDOW: EnvelopeType
METHOD_IDEMPOTENCY_IDEMPOTENT: MethodIdempotency
METHOD_IDEMPOTENCY_NO_SIDE_EFFECTS: MethodIdempotency
METHOD_IDEMPOTENCY_UNSPECIFIED: MethodIdempotency
METHOD_KIND_BIDIRECTIONAL: MethodKind
METHOD_KIND_CLIENT_STREAMING: MethodKind
METHOD_KIND_SERVER_STREAMING: MethodKind
METHOD_KIND_UNARY: MethodKind
METHOD_KIND_UNSPECIFIED: MethodKind
PEER_ROLE_CLIENT: PeerRole
PEER_ROLE_UNSPECIFIED: PeerRole
PEER_ROLE_WORKER: PeerRole

class Caller(_message.Message):
    __slots__ = ["device", "grants", "kind", "subject", "tenant"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    device: str
    grants: _containers.RepeatedScalarFieldContainer[str]
    kind: CallerKind
    subject: str
    tenant: str
    def __init__(self, kind: _Optional[_Union[CallerKind, str]] = ..., tenant: _Optional[str] = ..., subject: _Optional[str] = ..., device: _Optional[str] = ..., grants: _Optional[_Iterable[str]] = ...) -> None: ...

class Envelope(_message.Message):
    __slots__ = ["attempt", "call_id", "caller", "carries_message", "credit", "hello", "hello_ack", "idempotency_key", "load", "metadata", "method", "not_started", "offset", "payload", "payload_follows", "remaining_ms", "session", "status_code", "status_details", "status_message", "type", "waits_for_ready"]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CALLER_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    CARRIES_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    HELLO_ACK_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    LOAD_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    NOT_STARTED_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FOLLOWS_FIELD_NUMBER: _ClassVar[int]
    REMAINING_MS_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    STATUS_CODE_FIELD_NUMBER: _ClassVar[int]
    STATUS_DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATUS_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_READY_FIELD_NUMBER: _ClassVar[int]
    attempt: int
    call_id: int
    caller: Caller
    carries_message: bool
    credit: int
    hello: Hello
    hello_ack: HelloAck
    idempotency_key: str
    load: Load
    metadata: _containers.RepeatedCompositeFieldContainer[MetadataEntry]
    method: str
    not_started: bool
    offset: int
    payload: bytes
    payload_follows: bool
    remaining_ms: int
    session: int
    status_code: int
    status_details: _containers.RepeatedCompositeFieldContainer[StatusDetail]
    status_message: str
    type: EnvelopeType
    waits_for_ready: bool
    def __init__(self, type: _Optional[_Union[EnvelopeType, str]] = ..., session: _Optional[int] = ..., call_id: _Optional[int] = ..., offset: _Optional[int] = ..., credit: _Optional[int] = ..., remaining_ms: _Optional[int] = ..., attempt: _Optional[int] = ..., carries_message: bool = ..., payload_follows: bool = ..., method: _Optional[str] = ..., payload: _Optional[bytes] = ..., status_code: _Optional[int] = ..., not_started: bool = ..., status_message: _Optional[str] = ..., status_details: _Optional[_Iterable[_Union[StatusDetail, _Mapping]]] = ..., metadata: _Optional[_Iterable[_Union[MetadataEntry, _Mapping]]] = ..., idempotency_key: _Optional[str] = ..., caller: _Optional[_Union[Caller, _Mapping]] = ..., waits_for_ready: bool = ..., hello: _Optional[_Union[Hello, _Mapping]] = ..., hello_ack: _Optional[_Union[HelloAck, _Mapping]] = ..., load: _Optional[_Union[Load, _Mapping]] = ...) -> None: ...

class Envelopes(_message.Message):
    __slots__ = ["envelopes"]
    ENVELOPES_FIELD_NUMBER: _ClassVar[int]
    envelopes: _containers.RepeatedCompositeFieldContainer[Envelope]
    def __init__(self, envelopes: _Optional[_Iterable[_Union[Envelope, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ["address", "epoch", "instance", "largest_message", "link", "newest_version", "oldest_version", "prefetch", "role", "services", "slots", "version"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    LARGEST_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    NEWEST_VERSION_FIELD_NUMBER: _ClassVar[int]
    OLDEST_VERSION_FIELD_NUMBER: _ClassVar[int]
    PREFETCH_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    address: str
    epoch: int
    instance: str
    largest_message: int
    link: int
    newest_version: int
    oldest_version: int
    prefetch: int
    role: PeerRole
    services: _containers.RepeatedCompositeFieldContainer[ServiceOffer]
    slots: int
    version: str
    def __init__(self, role: _Optional[_Union[PeerRole, str]] = ..., instance: _Optional[str] = ..., epoch: _Optional[int] = ..., oldest_version: _Optional[int] = ..., newest_version: _Optional[int] = ..., services: _Optional[_Iterable[_Union[ServiceOffer, _Mapping]]] = ..., slots: _Optional[int] = ..., prefetch: _Optional[int] = ..., largest_message: _Optional[int] = ..., version: _Optional[str] = ..., address: _Optional[str] = ..., link: _Optional[int] = ...) -> None: ...

class HelloAck(_message.Message):
    __slots__ = ["gateway", "ping_ms", "session", "version"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    PING_MS_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    ping_ms: int
    session: int
    version: int
    def __init__(self, session: _Optional[int] = ..., gateway: _Optional[str] = ..., version: _Optional[int] = ..., ping_ms: _Optional[int] = ...) -> None: ...

class Load(_message.Message):
    __slots__ = ["busy", "notices", "progress", "waiting"]
    BUSY_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    busy: int
    notices: _containers.RepeatedScalarFieldContainer[str]
    progress: int
    waiting: int
    def __init__(self, busy: _Optional[int] = ..., waiting: _Optional[int] = ..., progress: _Optional[int] = ..., notices: _Optional[_Iterable[str]] = ...) -> None: ...

class MetadataEntry(_message.Message):
    __slots__ = ["key", "value"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: bytes
    def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class MethodOffer(_message.Message):
    __slots__ = ["idempotency", "kind", "name", "roles"]
    IDEMPOTENCY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    idempotency: MethodIdempotency
    kind: MethodKind
    name: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[MethodKind, str]] = ..., idempotency: _Optional[_Union[MethodIdempotency, str]] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class ServiceOffer(_message.Message):
    __slots__ = ["contract_hash", "methods", "name"]
    CONTRACT_HASH_FIELD_NUMBER: _ClassVar[int]
    METHODS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    contract_hash: bytes
    methods: _containers.RepeatedCompositeFieldContainer[MethodOffer]
    name: str
    def __init__(self, name: _Optional[str] = ..., contract_hash: _Optional[bytes] = ..., methods: _Optional[_Iterable[_Union[MethodOffer, _Mapping]]] = ...) -> None: ...

class StatusDetail(_message.Message):
    __slots__ = ["type_name", "value"]
    TYPE_NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    type_name: str
    value: bytes
    def __init__(self, type_name: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class EnvelopeType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PeerRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class MethodKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class MethodIdempotency(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CallerKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
