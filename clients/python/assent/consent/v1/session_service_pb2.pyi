from assent.consent.v1 import record_pb2 as _record_pb2
from assent.consent.v1 import screen_pb2 as _screen_pb2
from assent.consent.v1 import session_pb2 as _session_pb2
from assent.consent.v1 import study_pb2 as _study_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AbandonSessionRequest(_message.Message):
    __slots__ = ["client_schema", "session_id"]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    client_schema: int
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., client_schema: _Optional[int] = ...) -> None: ...

class AbandonSessionResponse(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.SessionView
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ...) -> None: ...

class ActOnSessionRequest(_message.Message):
    __slots__ = ["action", "client_schema", "expected_version", "session_id"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    action: _session_pb2.FlowAction
    client_schema: int
    expected_version: int
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., action: _Optional[_Union[_session_pb2.FlowAction, _Mapping]] = ..., client_schema: _Optional[int] = ...) -> None: ...

class ActOnSessionResponse(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.SessionView
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ...) -> None: ...

class CorrectBirthDateRequest(_message.Message):
    __slots__ = ["birth_date", "reason", "study_id", "subject_id"]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    birth_date: _text_pb2.CalendarDate
    reason: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class CorrectBirthDateResponse(_message.Message):
    __slots__ = ["attention_record_ids", "ended_session_ids"]
    ATTENTION_RECORD_IDS_FIELD_NUMBER: _ClassVar[int]
    ENDED_SESSION_IDS_FIELD_NUMBER: _ClassVar[int]
    attention_record_ids: _containers.RepeatedScalarFieldContainer[str]
    ended_session_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ended_session_ids: _Optional[_Iterable[str]] = ..., attention_record_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DeclineToSignRequest(_message.Message):
    __slots__ = ["device_time", "reason", "record_id", "signature_id"]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    device_time: _session_pb2.DeviceTime
    reason: str
    record_id: str
    signature_id: str
    def __init__(self, record_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., reason: _Optional[str] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ...) -> None: ...

class DeclineToSignResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class DocumentDecision(_message.Message):
    __slots__ = ["agreed", "document_id", "document_version", "locale", "purposes", "record_id", "sharing", "shown_text", "signatures"]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SHOWN_TEXT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    agreed: bool
    document_id: str
    document_version: int
    locale: str
    purposes: _containers.RepeatedCompositeFieldContainer[_session_pb2.PurposeDecision]
    record_id: str
    sharing: _screen_pb2.SharingChoice
    shown_text: str
    signatures: _containers.RepeatedCompositeFieldContainer[RecordedSignature]
    def __init__(self, document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., locale: _Optional[str] = ..., agreed: bool = ..., shown_text: _Optional[str] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., signatures: _Optional[_Iterable[_Union[RecordedSignature, _Mapping]]] = ..., purposes: _Optional[_Iterable[_Union[_session_pb2.PurposeDecision, _Mapping]]] = ..., record_id: _Optional[str] = ...) -> None: ...

class FormDecision(_message.Message):
    __slots__ = ["allowed", "record_id", "step_id"]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    allowed: bool
    record_id: str
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., allowed: bool = ..., record_id: _Optional[str] = ...) -> None: ...

class GetOfflineBundleRequest(_message.Message):
    __slots__ = ["begin", "client_schema", "session_id"]
    BEGIN_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    begin: StartSessionRequest
    client_schema: int
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., client_schema: _Optional[int] = ..., begin: _Optional[_Union[StartSessionRequest, _Mapping]] = ...) -> None: ...

class GetOfflineBundleResponse(_message.Message):
    __slots__ = ["bundle"]
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: _session_pb2.OfflineBundle
    def __init__(self, bundle: _Optional[_Union[_session_pb2.OfflineBundle, _Mapping]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ["client_schema", "session_id"]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    client_schema: int
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., client_schema: _Optional[int] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.SessionView
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ...) -> None: ...

class GetSessionResultRequest(_message.Message):
    __slots__ = ["session_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetSessionResultResponse(_message.Message):
    __slots__ = ["result"]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _session_pb2.SessionResult
    def __init__(self, result: _Optional[_Union[_session_pb2.SessionResult, _Mapping]] = ...) -> None: ...

class InvitationNotice(_message.Message):
    __slots__ = ["challenge", "state"]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    challenge: _study_pb2.InvitationChallenge
    state: _study_pb2.InvitationState
    def __init__(self, state: _Optional[_Union[_study_pb2.InvitationState, str]] = ..., challenge: _Optional[_Union[_study_pb2.InvitationChallenge, str]] = ...) -> None: ...

class LeaveSessionRequest(_message.Message):
    __slots__ = ["session_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class LeaveSessionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListConsentSessionsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id", "subject_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListConsentSessionsResponse(_message.Message):
    __slots__ = ["next_page_token", "sessions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sessions: _containers.RepeatedCompositeFieldContainer[_session_pb2.SessionSummary]
    def __init__(self, sessions: _Optional[_Iterable[_Union[_session_pb2.SessionSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSigningTasksRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "record_id", "site_id", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    record_id: str
    site_id: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., record_id: _Optional[str] = ...) -> None: ...

class ListSigningTasksResponse(_message.Message):
    __slots__ = ["next_page_token", "tasks"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    tasks: _containers.RepeatedCompositeFieldContainer[_record_pb2.SigningTask]
    def __init__(self, tasks: _Optional[_Iterable[_Union[_record_pb2.SigningTask, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class OpenInvitationRequest(_message.Message):
    __slots__ = ["birth_date", "client_schema", "device_time", "link", "locale", "told_code"]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TOLD_CODE_FIELD_NUMBER: _ClassVar[int]
    birth_date: _text_pb2.CalendarDate
    client_schema: int
    device_time: _session_pb2.DeviceTime
    link: str
    locale: str
    told_code: str
    def __init__(self, link: _Optional[str] = ..., told_code: _Optional[str] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., locale: _Optional[str] = ..., client_schema: _Optional[int] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ...) -> None: ...

class OpenInvitationResponse(_message.Message):
    __slots__ = ["browser_id", "session", "tenant"]
    BROWSER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    browser_id: str
    session: _session_pb2.SessionView
    tenant: str
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ..., tenant: _Optional[str] = ..., browser_id: _Optional[str] = ...) -> None: ...

class PreviewSignedCopyRequest(_message.Message):
    __slots__ = ["document_id", "session_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., document_id: _Optional[str] = ...) -> None: ...

class PreviewSignedCopyResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class RecordConsentRequest(_message.Message):
    __slots__ = ["answers", "birth_date", "device_id", "device_time", "documents", "flow_id", "flow_locale", "flow_version", "forms", "locale", "prepared", "session_id", "site_id", "subject_id", "test"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_LOCALE_FIELD_NUMBER: _ClassVar[int]
    FLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PREPARED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[_session_pb2.StepAnswers]
    birth_date: _text_pb2.CalendarDate
    device_id: str
    device_time: _session_pb2.DeviceTime
    documents: _containers.RepeatedCompositeFieldContainer[DocumentDecision]
    flow_id: str
    flow_locale: str
    flow_version: int
    forms: _containers.RepeatedCompositeFieldContainer[FormDecision]
    locale: str
    prepared: _session_pb2.PreparedVisit
    session_id: str
    site_id: str
    subject_id: str
    test: bool
    def __init__(self, flow_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., session_id: _Optional[str] = ..., locale: _Optional[str] = ..., device_id: _Optional[str] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., test: bool = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[_session_pb2.StepAnswers, _Mapping]]] = ..., forms: _Optional[_Iterable[_Union[FormDecision, _Mapping]]] = ..., documents: _Optional[_Iterable[_Union[DocumentDecision, _Mapping]]] = ..., flow_version: _Optional[int] = ..., flow_locale: _Optional[str] = ..., prepared: _Optional[_Union[_session_pb2.PreparedVisit, _Mapping]] = ...) -> None: ...

class RecordConsentResponse(_message.Message):
    __slots__ = ["records", "session", "subject_id"]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_record_pb2.ConsentRecord]
    session: _session_pb2.SessionView
    subject_id: str
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ..., subject_id: _Optional[str] = ..., records: _Optional[_Iterable[_Union[_record_pb2.ConsentRecord, _Mapping]]] = ...) -> None: ...

class RecordedSignature(_message.Message):
    __slots__ = ["name", "signature", "signature_id"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    name: _text_pb2.PersonName
    signature: _session_pb2.SignatureInput
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., signature: _Optional[_Union[_session_pb2.SignatureInput, _Mapping]] = ...) -> None: ...

class RenewAttemptsRequest(_message.Message):
    __slots__ = ["document_id", "document_version", "reason", "subject_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    document_version: int
    reason: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class RenewAttemptsResponse(_message.Message):
    __slots__ = ["renewed_count"]
    RENEWED_COUNT_FIELD_NUMBER: _ClassVar[int]
    renewed_count: int
    def __init__(self, renewed_count: _Optional[int] = ...) -> None: ...

class ResumeSessionRequest(_message.Message):
    __slots__ = ["assistance", "client_schema", "device_id", "locale", "session_id"]
    ASSISTANCE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    assistance: _session_pb2.Assistance
    client_schema: int
    device_id: str
    locale: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., device_id: _Optional[str] = ..., locale: _Optional[str] = ..., client_schema: _Optional[int] = ..., assistance: _Optional[_Union[_session_pb2.Assistance, str]] = ...) -> None: ...

class ResumeSessionResponse(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.SessionView
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ...) -> None: ...

class SignRecordRequest(_message.Message):
    __slots__ = ["device_time", "name", "record_id", "signature", "signature_id"]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    device_time: _session_pb2.DeviceTime
    name: _text_pb2.PersonName
    record_id: str
    signature: _session_pb2.SignatureInput
    signature_id: str
    def __init__(self, record_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., signature: _Optional[_Union[_session_pb2.SignatureInput, _Mapping]] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ...) -> None: ...

class SignRecordResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class StartSessionRequest(_message.Message):
    __slots__ = ["assistance", "birth_date", "client_schema", "device_id", "device_time", "flow_id", "invitation_code", "locale", "prepared", "session_id", "site_id", "subject_id", "test", "told_code"]
    ASSISTANCE_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_CODE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PREPARED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    TOLD_CODE_FIELD_NUMBER: _ClassVar[int]
    assistance: _session_pb2.Assistance
    birth_date: _text_pb2.CalendarDate
    client_schema: int
    device_id: str
    device_time: _session_pb2.DeviceTime
    flow_id: str
    invitation_code: str
    locale: str
    prepared: _session_pb2.PreparedVisit
    session_id: str
    site_id: str
    subject_id: str
    test: bool
    told_code: str
    def __init__(self, flow_id: _Optional[str] = ..., invitation_code: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., locale: _Optional[str] = ..., client_schema: _Optional[int] = ..., device_id: _Optional[str] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., test: bool = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ..., assistance: _Optional[_Union[_session_pb2.Assistance, str]] = ..., told_code: _Optional[str] = ..., session_id: _Optional[str] = ..., prepared: _Optional[_Union[_session_pb2.PreparedVisit, _Mapping]] = ...) -> None: ...

class StartSessionResponse(_message.Message):
    __slots__ = ["session", "subject_id"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.SessionView
    subject_id: str
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ..., subject_id: _Optional[str] = ...) -> None: ...

class SubmitOfflineWalkRequest(_message.Message):
    __slots__ = ["actions", "bundle_hash", "client_schema", "record_ids", "session_id"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_HASH_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    RECORD_IDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_session_pb2.FlowAction]
    bundle_hash: str
    client_schema: int
    record_ids: _containers.RepeatedCompositeFieldContainer[_session_pb2.ChosenRecord]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., bundle_hash: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[_session_pb2.FlowAction, _Mapping]]] = ..., client_schema: _Optional[int] = ..., record_ids: _Optional[_Iterable[_Union[_session_pb2.ChosenRecord, _Mapping]]] = ...) -> None: ...

class SubmitOfflineWalkResponse(_message.Message):
    __slots__ = ["attention", "session"]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    attention: str
    session: _session_pb2.SessionView
    def __init__(self, session: _Optional[_Union[_session_pb2.SessionView, _Mapping]] = ..., attention: _Optional[str] = ...) -> None: ...
