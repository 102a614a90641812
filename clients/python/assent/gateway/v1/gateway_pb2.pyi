from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
INSTANCE_STATE_DRAINING: InstanceState
INSTANCE_STATE_READY: InstanceState
INSTANCE_STATE_SUSPECT: InstanceState
INSTANCE_STATE_UNSPECIFIED: InstanceState

class BatchAnswer(_message.Message):
    __slots__ = ["code", "details", "message", "response", "retry_after_ms"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    code: int
    details: _containers.RepeatedCompositeFieldContainer[BatchDetail]
    message: str
    response: str
    retry_after_ms: int
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., details: _Optional[_Iterable[_Union[BatchDetail, _Mapping]]] = ..., retry_after_ms: _Optional[int] = ..., response: _Optional[str] = ...) -> None: ...

class BatchCall(_message.Message):
    __slots__ = ["idempotency_key", "method", "request"]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    method: str
    request: str
    def __init__(self, method: _Optional[str] = ..., request: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class BatchDetail(_message.Message):
    __slots__ = ["type_name", "value"]
    TYPE_NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    type_name: str
    value: bytes
    def __init__(self, type_name: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class BatchRequest(_message.Message):
    __slots__ = ["calls"]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    calls: _containers.RepeatedCompositeFieldContainer[BatchCall]
    def __init__(self, calls: _Optional[_Iterable[_Union[BatchCall, _Mapping]]] = ...) -> None: ...

class BatchResponse(_message.Message):
    __slots__ = ["answers"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[BatchAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[BatchAnswer, _Mapping]]] = ...) -> None: ...

class CreateBrowserTokenRequest(_message.Message):
    __slots__ = ["lifetime_ms", "origin", "session_id"]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    lifetime_ms: int
    origin: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., origin: _Optional[str] = ..., lifetime_ms: _Optional[int] = ...) -> None: ...

class CreateBrowserTokenResponse(_message.Message):
    __slots__ = ["expires_at", "token"]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    token: str
    def __init__(self, token: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateDownloadRequest(_message.Message):
    __slots__ = ["attachment", "file_name", "lifetime_ms", "method", "request"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    attachment: bool
    file_name: str
    lifetime_ms: int
    method: str
    request: str
    def __init__(self, method: _Optional[str] = ..., request: _Optional[str] = ..., file_name: _Optional[str] = ..., attachment: bool = ..., lifetime_ms: _Optional[int] = ...) -> None: ...

class CreateDownloadResponse(_message.Message):
    __slots__ = ["expires_at", "path"]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    path: str
    def __init__(self, path: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateFieldLinkRequest(_message.Message):
    __slots__ = ["field_id"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    def __init__(self, field_id: _Optional[str] = ...) -> None: ...

class CreateFieldLinkResponse(_message.Message):
    __slots__ = ["expires_at", "link"]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    link: str
    def __init__(self, link: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Instance(_message.Message):
    __slots__ = ["address", "calls_per_second", "connected_at", "finished", "id", "in_flight", "latency", "name", "notices", "services", "slots", "state", "version"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CALLS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    LATENCY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    address: str
    calls_per_second: float
    connected_at: _timestamp_pb2.Timestamp
    finished: int
    id: str
    in_flight: int
    latency: Latency
    name: str
    notices: _containers.RepeatedScalarFieldContainer[str]
    services: _containers.RepeatedScalarFieldContainer[str]
    slots: int
    state: InstanceState
    version: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., address: _Optional[str] = ..., state: _Optional[_Union[InstanceState, str]] = ..., services: _Optional[_Iterable[str]] = ..., slots: _Optional[int] = ..., in_flight: _Optional[int] = ..., connected_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., finished: _Optional[int] = ..., calls_per_second: _Optional[float] = ..., latency: _Optional[_Union[Latency, _Mapping]] = ..., notices: _Optional[_Iterable[str]] = ...) -> None: ...

class Latency(_message.Message):
    __slots__ = ["max_us", "p50_us", "p90_us", "p99_us"]
    MAX_US_FIELD_NUMBER: _ClassVar[int]
    P50_US_FIELD_NUMBER: _ClassVar[int]
    P90_US_FIELD_NUMBER: _ClassVar[int]
    P99_US_FIELD_NUMBER: _ClassVar[int]
    max_us: int
    p50_us: int
    p90_us: int
    p99_us: int
    def __init__(self, p50_us: _Optional[int] = ..., p90_us: _Optional[int] = ..., p99_us: _Optional[int] = ..., max_us: _Optional[int] = ...) -> None: ...

class ListInstancesRequest(_message.Message):
    __slots__ = ["service"]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    service: str
    def __init__(self, service: _Optional[str] = ...) -> None: ...

class ListInstancesResponse(_message.Message):
    __slots__ = ["instances", "services"]
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    instances: _containers.RepeatedCompositeFieldContainer[Instance]
    services: _containers.RepeatedCompositeFieldContainer[ServiceLoad]
    def __init__(self, instances: _Optional[_Iterable[_Union[Instance, _Mapping]]] = ..., services: _Optional[_Iterable[_Union[ServiceLoad, _Mapping]]] = ...) -> None: ...

class OpenFieldLinkRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class OpenFieldLinkResponse(_message.Message):
    __slots__ = ["expires_at", "field_id", "token"]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    field_id: str
    token: str
    def __init__(self, token: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., field_id: _Optional[str] = ...) -> None: ...

class ServiceLoad(_message.Message):
    __slots__ = ["calls_per_second", "in_flight", "instances", "latency", "name", "queued", "refused_per_second"]
    CALLS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    LATENCY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    calls_per_second: float
    in_flight: int
    instances: int
    latency: Latency
    name: str
    queued: int
    refused_per_second: float
    def __init__(self, name: _Optional[str] = ..., instances: _Optional[int] = ..., queued: _Optional[int] = ..., in_flight: _Optional[int] = ..., calls_per_second: _Optional[float] = ..., refused_per_second: _Optional[float] = ..., latency: _Optional[_Union[Latency, _Mapping]] = ...) -> None: ...

class WatchInstancesRequest(_message.Message):
    __slots__ = ["interval_ms", "service"]
    INTERVAL_MS_FIELD_NUMBER: _ClassVar[int]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    interval_ms: int
    service: str
    def __init__(self, service: _Optional[str] = ..., interval_ms: _Optional[int] = ...) -> None: ...

class WatchInstancesResponse(_message.Message):
    __slots__ = ["instances", "services"]
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    instances: _containers.RepeatedCompositeFieldContainer[Instance]
    services: _containers.RepeatedCompositeFieldContainer[ServiceLoad]
    def __init__(self, instances: _Optional[_Iterable[_Union[Instance, _Mapping]]] = ..., services: _Optional[_Iterable[_Union[ServiceLoad, _Mapping]]] = ...) -> None: ...

class InstanceState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
