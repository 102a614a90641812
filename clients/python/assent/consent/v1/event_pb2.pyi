from assent.consent.v1 import record_pb2 as _record_pb2
from assent.consent.v1 import session_pb2 as _session_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CONSENT_EVENT_KIND_ACCESS_DENIED: ConsentEventKind
CONSENT_EVENT_KIND_APPROVAL_REQUESTED: ConsentEventKind
CONSENT_EVENT_KIND_ATTEMPTS_RENEWED: ConsentEventKind
CONSENT_EVENT_KIND_BIRTH_DATE_CORRECTED: ConsentEventKind
CONSENT_EVENT_KIND_BIRTH_DATE_STATED: ConsentEventKind
CONSENT_EVENT_KIND_CONSENT_DUE: ConsentEventKind
CONSENT_EVENT_KIND_CONSENT_ENDING: ConsentEventKind
CONSENT_EVENT_KIND_DRAFT_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_FILE_SEALED: ConsentEventKind
CONSENT_EVENT_KIND_GUARDIAN_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_INVITATION_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_LEGAL_HOLD_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_PERSONAL_DATA_READ: ConsentEventKind
CONSENT_EVENT_KIND_RECORD_ENTRY: ConsentEventKind
CONSENT_EVENT_KIND_SAID_NO: ConsentEventKind
CONSENT_EVENT_KIND_SESSION_ACTED: ConsentEventKind
CONSENT_EVENT_KIND_SESSION_ENDED: ConsentEventKind
CONSENT_EVENT_KIND_SESSION_STARTED: ConsentEventKind
CONSENT_EVENT_KIND_SESSION_UNFINISHED: ConsentEventKind
CONSENT_EVENT_KIND_SIGNED_COPY_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_STUDY_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_SUBJECTS_MERGED: ConsentEventKind
CONSENT_EVENT_KIND_SUBJECT_ERASED: ConsentEventKind
CONSENT_EVENT_KIND_TEXTS_CHANGED: ConsentEventKind
CONSENT_EVENT_KIND_TRANSLATION_ADDED: ConsentEventKind
CONSENT_EVENT_KIND_UNSPECIFIED: ConsentEventKind
CONSENT_EVENT_KIND_VERSION_PUBLISHED: ConsentEventKind
CONSENT_EVENT_KIND_VERSION_REINSTATED: ConsentEventKind
CONSENT_EVENT_KIND_VERSION_RETIRED: ConsentEventKind
CONSENT_EVENT_KIND_VERSION_STOPPED: ConsentEventKind
CONSENT_EVENT_KIND_WEBHOOK_CHANGED: ConsentEventKind
DESCRIPTOR: _descriptor.FileDescriptor

class ConsentEvent(_message.Message):
    __slots__ = ["actor", "assisted_by", "at", "caller_kind", "capacity", "count", "days", "document_id", "due", "entry", "file_hash", "flow_id", "guardian_id", "hash", "kind", "method", "note", "outcome", "participant_copy", "purpose", "purposes", "record_id", "sequence", "session_id", "signed_copy", "site_id", "state", "study_id", "subject_id", "test", "version", "webhook_id"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ASSISTED_BY_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    CALLER_KIND_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DUE_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    FILE_HASH_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    GUARDIAN_ID_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNED_COPY_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    assisted_by: str
    at: _timestamp_pb2.Timestamp
    caller_kind: str
    capacity: str
    count: int
    days: int
    document_id: str
    due: _record_pb2.DueReason
    entry: _record_pb2.EntryKind
    file_hash: str
    flow_id: str
    guardian_id: str
    hash: str
    kind: ConsentEventKind
    method: str
    note: str
    outcome: _session_pb2.SessionOutcome
    participant_copy: bool
    purpose: str
    purposes: _containers.RepeatedScalarFieldContainer[str]
    record_id: str
    sequence: int
    session_id: str
    signed_copy: _record_pb2.SignedCopyState
    site_id: str
    state: _record_pb2.RecordState
    study_id: str
    subject_id: str
    test: bool
    version: int
    webhook_id: str
    def __init__(self, sequence: _Optional[int] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[_Union[ConsentEventKind, str]] = ..., actor: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., version: _Optional[int] = ..., session_id: _Optional[str] = ..., record_id: _Optional[str] = ..., entry: _Optional[_Union[_record_pb2.EntryKind, str]] = ..., state: _Optional[_Union[_record_pb2.RecordState, str]] = ..., outcome: _Optional[_Union[_session_pb2.SessionOutcome, str]] = ..., hash: _Optional[str] = ..., note: _Optional[str] = ..., test: bool = ..., due: _Optional[_Union[_record_pb2.DueReason, str]] = ..., flow_id: _Optional[str] = ..., assisted_by: _Optional[str] = ..., guardian_id: _Optional[str] = ..., method: _Optional[str] = ..., capacity: _Optional[str] = ..., caller_kind: _Optional[str] = ..., purpose: _Optional[str] = ..., count: _Optional[int] = ..., signed_copy: _Optional[_Union[_record_pb2.SignedCopyState, str]] = ..., webhook_id: _Optional[str] = ..., file_hash: _Optional[str] = ..., participant_copy: bool = ..., purposes: _Optional[_Iterable[str]] = ..., days: _Optional[int] = ...) -> None: ...

class ConsentEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
