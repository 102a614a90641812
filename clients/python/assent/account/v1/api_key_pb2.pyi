from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

API_KEY_KIND_DEVICE: ApiKeyKind
API_KEY_KIND_PROGRAM: ApiKeyKind
API_KEY_KIND_UNSPECIFIED: ApiKeyKind
DESCRIPTOR: _descriptor.FileDescriptor

class ApiKey(_message.Message):
    __slots__ = ["api_key_id", "created_at", "created_by", "expires_at", "kind", "name", "overlap_ends_at", "revoked_at", "roles", "rotated_at", "scopes", "used_at"]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    ROTATED_AT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    USED_AT_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    created_at: _timestamp_pb2.Timestamp
    created_by: str
    expires_at: _timestamp_pb2.Timestamp
    kind: ApiKeyKind
    name: str
    overlap_ends_at: _timestamp_pb2.Timestamp
    revoked_at: _timestamp_pb2.Timestamp
    roles: _containers.RepeatedScalarFieldContainer[str]
    rotated_at: _timestamp_pb2.Timestamp
    scopes: _containers.RepeatedScalarFieldContainer[str]
    used_at: _timestamp_pb2.Timestamp
    def __init__(self, api_key_id: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[_Union[ApiKeyKind, str]] = ..., roles: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., created_by: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., rotated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., overlap_ends_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., used_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., revoked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ApiKeySet(_message.Message):
    __slots__ = ["keys", "tenant"]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[VerifiableApiKey]
    tenant: str
    def __init__(self, tenant: _Optional[str] = ..., keys: _Optional[_Iterable[_Union[VerifiableApiKey, _Mapping]]] = ...) -> None: ...

class ApiKeyUse(_message.Message):
    __slots__ = ["api_key_id", "tenant", "used_at"]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    USED_AT_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    tenant: str
    used_at: _timestamp_pb2.Timestamp
    def __init__(self, tenant: _Optional[str] = ..., api_key_id: _Optional[str] = ..., used_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class VerifiableApiKey(_message.Message):
    __slots__ = ["api_key_id", "expires_at", "hash", "kind", "name", "overlap_ends_at", "previous_hash", "roles", "scopes"]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_HASH_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    expires_at: _timestamp_pb2.Timestamp
    hash: bytes
    kind: ApiKeyKind
    name: str
    overlap_ends_at: _timestamp_pb2.Timestamp
    previous_hash: bytes
    roles: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, api_key_id: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[_Union[ApiKeyKind, str]] = ..., roles: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., hash: _Optional[bytes] = ..., previous_hash: _Optional[bytes] = ..., overlap_ends_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ApiKeyKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
