from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

ACCOUNT_EVENT_KIND_ACCESS_DENIED: AccountEventKind
ACCOUNT_EVENT_KIND_API_KEY_CREATED: AccountEventKind
ACCOUNT_EVENT_KIND_API_KEY_REVOKED: AccountEventKind
ACCOUNT_EVENT_KIND_API_KEY_ROTATED: AccountEventKind
ACCOUNT_EVENT_KIND_CODE_CREATED: AccountEventKind
ACCOUNT_EVENT_KIND_DEVICE_REGISTERED: AccountEventKind
ACCOUNT_EVENT_KIND_DEVICE_WIPED: AccountEventKind
ACCOUNT_EVENT_KIND_HOLD_CHANGED: AccountEventKind
ACCOUNT_EVENT_KIND_ITEM_CONFLICTED: AccountEventKind
ACCOUNT_EVENT_KIND_ITEM_DISCARDED: AccountEventKind
ACCOUNT_EVENT_KIND_ITEM_DONE: AccountEventKind
ACCOUNT_EVENT_KIND_ITEM_FAILED: AccountEventKind
ACCOUNT_EVENT_KIND_ONBOARDING_ENDED: AccountEventKind
ACCOUNT_EVENT_KIND_ONBOARDING_STARTED: AccountEventKind
ACCOUNT_EVENT_KIND_PASSCODE_CHANGED: AccountEventKind
ACCOUNT_EVENT_KIND_PASSCODE_RESET: AccountEventKind
ACCOUNT_EVENT_KIND_PEOPLE_MERGED: AccountEventKind
ACCOUNT_EVENT_KIND_PERSONAL_DATA_READ: AccountEventKind
ACCOUNT_EVENT_KIND_PERSON_ADDED: AccountEventKind
ACCOUNT_EVENT_KIND_PERSON_ERASED: AccountEventKind
ACCOUNT_EVENT_KIND_PERSON_LOCKED: AccountEventKind
ACCOUNT_EVENT_KIND_PERSON_REMOVED: AccountEventKind
ACCOUNT_EVENT_KIND_PERSON_UNLOCKED: AccountEventKind
ACCOUNT_EVENT_KIND_PROFILE_CHANGED: AccountEventKind
ACCOUNT_EVENT_KIND_REAUTHENTICATED: AccountEventKind
ACCOUNT_EVENT_KIND_ROLE_GRANTED: AccountEventKind
ACCOUNT_EVENT_KIND_ROLE_REVOKED: AccountEventKind
ACCOUNT_EVENT_KIND_SESSION_ENDED: AccountEventKind
ACCOUNT_EVENT_KIND_SETTINGS_CHANGED: AccountEventKind
ACCOUNT_EVENT_KIND_SIGNED_IN: AccountEventKind
ACCOUNT_EVENT_KIND_SIGNED_IN_OFFLINE: AccountEventKind
ACCOUNT_EVENT_KIND_SIGN_IN_FAILED: AccountEventKind
ACCOUNT_EVENT_KIND_TENANT_CHANGED: AccountEventKind
ACCOUNT_EVENT_KIND_TENANT_CREATED: AccountEventKind
ACCOUNT_EVENT_KIND_TOKEN_REUSED: AccountEventKind
ACCOUNT_EVENT_KIND_UNSPECIFIED: AccountEventKind
DESCRIPTOR: _descriptor.FileDescriptor

class AccountEvent(_message.Message):
    __slots__ = ["actor", "api_key_id", "at", "device_id", "item_id", "kind", "note", "person_id", "sequence", "session_id"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    api_key_id: str
    at: _timestamp_pb2.Timestamp
    device_id: str
    item_id: str
    kind: AccountEventKind
    note: str
    person_id: str
    sequence: int
    session_id: str
    def __init__(self, sequence: _Optional[int] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[_Union[AccountEventKind, str]] = ..., actor: _Optional[str] = ..., person_id: _Optional[str] = ..., device_id: _Optional[str] = ..., session_id: _Optional[str] = ..., note: _Optional[str] = ..., api_key_id: _Optional[str] = ..., item_id: _Optional[str] = ...) -> None: ...

class Revocation(_message.Message):
    __slots__ = ["before", "device_id", "person_id", "session_id", "tenant"]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    before: _timestamp_pb2.Timestamp
    device_id: str
    person_id: str
    session_id: str
    tenant: str
    def __init__(self, tenant: _Optional[str] = ..., session_id: _Optional[str] = ..., person_id: _Optional[str] = ..., device_id: _Optional[str] = ..., before: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AccountEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
