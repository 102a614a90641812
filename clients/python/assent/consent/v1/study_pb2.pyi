from assent.consent.v1 import text_pb2 as _text_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
GUARDIAN_AUTHORITY_APPOINTED: GuardianAuthority
GUARDIAN_AUTHORITY_ATTORNEY: GuardianAuthority
GUARDIAN_AUTHORITY_PARENT: GuardianAuthority
GUARDIAN_AUTHORITY_UNSPECIFIED: GuardianAuthority
INVITATION_CHALLENGE_BIRTH_DATE: InvitationChallenge
INVITATION_CHALLENGE_TOLD_CODE: InvitationChallenge
INVITATION_CHALLENGE_UNSPECIFIED: InvitationChallenge
INVITATION_STATE_EXPIRED: InvitationState
INVITATION_STATE_REVOKED: InvitationState
INVITATION_STATE_UNSPECIFIED: InvitationState
INVITATION_STATE_USABLE: InvitationState
INVITATION_STATE_USED_UP: InvitationState

class AuthenticationVerifier(_message.Message):
    __slots__ = ["public_key", "verifier_id"]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_ID_FIELD_NUMBER: _ClassVar[int]
    public_key: bytes
    verifier_id: str
    def __init__(self, verifier_id: _Optional[str] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class ConsentStudy(_message.Message):
    __slots__ = ["authentication_max_age", "created_at", "default_locale", "device_time_needs_attention", "name", "names", "pending_change", "retention_days", "second_person", "study_id", "unfinished_after_days", "verifiers"]
    AUTHENTICATION_MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_LOCALE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_NEEDS_ATTENTION_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PENDING_CHANGE_FIELD_NUMBER: _ClassVar[int]
    RETENTION_DAYS_FIELD_NUMBER: _ClassVar[int]
    SECOND_PERSON_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    UNFINISHED_AFTER_DAYS_FIELD_NUMBER: _ClassVar[int]
    VERIFIERS_FIELD_NUMBER: _ClassVar[int]
    authentication_max_age: _duration_pb2.Duration
    created_at: _timestamp_pb2.Timestamp
    default_locale: str
    device_time_needs_attention: bool
    name: str
    names: _text_pb2.LocalizedText
    pending_change: PendingStudyChange
    retention_days: int
    second_person: bool
    study_id: str
    unfinished_after_days: int
    verifiers: _containers.RepeatedCompositeFieldContainer[AuthenticationVerifier]
    def __init__(self, study_id: _Optional[str] = ..., name: _Optional[str] = ..., second_person: bool = ..., default_locale: _Optional[str] = ..., retention_days: _Optional[int] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., verifiers: _Optional[_Iterable[_Union[AuthenticationVerifier, _Mapping]]] = ..., authentication_max_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., names: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., device_time_needs_attention: bool = ..., pending_change: _Optional[_Union[PendingStudyChange, _Mapping]] = ..., unfinished_after_days: _Optional[int] = ...) -> None: ...

class Guardian(_message.Message):
    __slots__ = ["authority", "guardian_id", "majority_age", "registered_at", "registered_by", "study_id", "subject_id"]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    GUARDIAN_ID_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_AGE_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_AT_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_BY_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    authority: GuardianAuthority
    guardian_id: str
    majority_age: int
    registered_at: _timestamp_pb2.Timestamp
    registered_by: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., guardian_id: _Optional[str] = ..., authority: _Optional[_Union[GuardianAuthority, str]] = ..., registered_by: _Optional[str] = ..., registered_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., majority_age: _Optional[int] = ...) -> None: ...

class PendingStudyChange(_message.Message):
    __slots__ = ["asked_at", "asked_by", "authentication_max_age", "fields", "retention_days", "verifiers"]
    ASKED_AT_FIELD_NUMBER: _ClassVar[int]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    AUTHENTICATION_MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    RETENTION_DAYS_FIELD_NUMBER: _ClassVar[int]
    VERIFIERS_FIELD_NUMBER: _ClassVar[int]
    asked_at: _timestamp_pb2.Timestamp
    asked_by: str
    authentication_max_age: _duration_pb2.Duration
    fields: _containers.RepeatedScalarFieldContainer[str]
    retention_days: int
    verifiers: _containers.RepeatedCompositeFieldContainer[AuthenticationVerifier]
    def __init__(self, asked_by: _Optional[str] = ..., asked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., fields: _Optional[_Iterable[str]] = ..., verifiers: _Optional[_Iterable[_Union[AuthenticationVerifier, _Mapping]]] = ..., authentication_max_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., retention_days: _Optional[int] = ...) -> None: ...

class StudyInvitation(_message.Message):
    __slots__ = ["challenge", "code", "expires_at", "flow_id", "link", "session_id", "site_id", "state", "subject_id", "test"]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    challenge: InvitationChallenge
    code: str
    expires_at: _timestamp_pb2.Timestamp
    flow_id: str
    link: str
    session_id: str
    site_id: str
    state: InvitationState
    subject_id: str
    test: bool
    def __init__(self, code: _Optional[str] = ..., flow_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., test: bool = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[InvitationState, str]] = ..., session_id: _Optional[str] = ..., challenge: _Optional[_Union[InvitationChallenge, str]] = ..., link: _Optional[str] = ...) -> None: ...

class StudySite(_message.Message):
    __slots__ = ["name", "site_id", "study_id"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    site_id: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class TextOverride(_message.Message):
    __slots__ = ["key", "text"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    key: str
    text: _text_pb2.LocalizedText
    def __init__(self, key: _Optional[str] = ..., text: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class TextsVersion(_message.Message):
    __slots__ = ["approved_by", "at", "hash", "overrides", "set_by", "version"]
    APPROVED_BY_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    SET_BY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    approved_by: str
    at: _timestamp_pb2.Timestamp
    hash: str
    overrides: _containers.RepeatedCompositeFieldContainer[TextOverride]
    set_by: str
    version: int
    def __init__(self, version: _Optional[int] = ..., overrides: _Optional[_Iterable[_Union[TextOverride, _Mapping]]] = ..., hash: _Optional[str] = ..., set_by: _Optional[str] = ..., approved_by: _Optional[str] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class InvitationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class InvitationChallenge(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class GuardianAuthority(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
