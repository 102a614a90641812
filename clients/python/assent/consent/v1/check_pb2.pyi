from assent.consent.v1 import screen_pb2 as _screen_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConsentAnswer(_message.Message):
    __slots__ = ["permitted", "purpose", "reason", "record_id", "sharing", "subject_id", "valid_until"]
    PERMITTED_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    permitted: bool
    purpose: str
    reason: str
    record_id: str
    sharing: _screen_pb2.SharingChoice
    subject_id: str
    valid_until: _timestamp_pb2.Timestamp
    def __init__(self, subject_id: _Optional[str] = ..., purpose: _Optional[str] = ..., permitted: bool = ..., reason: _Optional[str] = ..., record_id: _Optional[str] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., valid_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ConsentQuestion(_message.Message):
    __slots__ = ["purpose", "subject_id"]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., purpose: _Optional[str] = ...) -> None: ...

class ConsentStatement(_message.Message):
    __slots__ = ["answer", "expires_at", "issued_at", "study_id", "tenant"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ISSUED_AT_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    answer: ConsentAnswer
    expires_at: _timestamp_pb2.Timestamp
    issued_at: _timestamp_pb2.Timestamp
    study_id: str
    tenant: str
    def __init__(self, tenant: _Optional[str] = ..., study_id: _Optional[str] = ..., answer: _Optional[_Union[ConsentAnswer, _Mapping]] = ..., issued_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
