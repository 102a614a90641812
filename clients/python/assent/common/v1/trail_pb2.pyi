from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
TRAIL_KIND_CHANGED: TrailKind
TRAIL_KIND_DENIED: TrailKind
TRAIL_KIND_READ: TrailKind
TRAIL_KIND_UNSPECIFIED: TrailKind

class TrailEntry(_message.Message):
    __slots__ = ["actor", "at", "caller_kind", "capacity", "count", "device_id", "item", "kind", "method", "page_token", "purpose", "sequence", "service", "site_id", "study_id", "subject_id"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    CALLER_KIND_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    at: _timestamp_pb2.Timestamp
    caller_kind: str
    capacity: str
    count: int
    device_id: str
    item: str
    kind: TrailKind
    method: str
    page_token: str
    purpose: str
    sequence: int
    service: str
    site_id: str
    study_id: str
    subject_id: str
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., service: _Optional[str] = ..., sequence: _Optional[int] = ..., kind: _Optional[_Union[TrailKind, str]] = ..., actor: _Optional[str] = ..., caller_kind: _Optional[str] = ..., device_id: _Optional[str] = ..., method: _Optional[str] = ..., capacity: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., item: _Optional[str] = ..., purpose: _Optional[str] = ..., count: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class TrailKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
