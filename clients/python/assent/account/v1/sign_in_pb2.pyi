from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AccountTokens(_message.Message):
    __slots__ = ["access_expires_at", "access_token", "refresh_expires_at", "refresh_token"]
    ACCESS_EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFRESH_EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    access_expires_at: _timestamp_pb2.Timestamp
    access_token: str
    refresh_expires_at: _timestamp_pb2.Timestamp
    refresh_token: str
    def __init__(self, access_token: _Optional[str] = ..., access_expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., refresh_token: _Optional[str] = ..., refresh_expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OfflineVerifier(_message.Message):
    __slots__ = ["attempts", "device_id", "expires_at", "iterations", "person_id", "salt", "verifier_id"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_ID_FIELD_NUMBER: _ClassVar[int]
    attempts: int
    device_id: str
    expires_at: _timestamp_pb2.Timestamp
    iterations: int
    person_id: str
    salt: bytes
    verifier_id: str
    def __init__(self, verifier_id: _Optional[str] = ..., person_id: _Optional[str] = ..., device_id: _Optional[str] = ..., salt: _Optional[bytes] = ..., iterations: _Optional[int] = ..., attempts: _Optional[int] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SignInSession(_message.Message):
    __slots__ = ["device_id", "last_used_at", "person_id", "session_id", "started_at"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    last_used_at: _timestamp_pb2.Timestamp
    person_id: str
    session_id: str
    started_at: _timestamp_pb2.Timestamp
    def __init__(self, session_id: _Optional[str] = ..., person_id: _Optional[str] = ..., device_id: _Optional[str] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_used_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
