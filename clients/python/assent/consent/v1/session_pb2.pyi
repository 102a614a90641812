from assent.consent.v1 import document_pb2 as _document_pb2
from assent.consent.v1 import flow_pb2 as _flow_pb2
from assent.consent.v1 import screen_pb2 as _screen_pb2
from assent.consent.v1 import study_pb2 as _study_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ASSISTANCE_INTERPRETS: Assistance
ASSISTANCE_OPERATES_DEVICE: Assistance
ASSISTANCE_READS_ALOUD: Assistance
ASSISTANCE_UNSPECIFIED: Assistance
DESCRIPTOR: _descriptor.FileDescriptor
SESSION_OUTCOME_ABANDONED: SessionOutcome
SESSION_OUTCOME_COMPLETED: SessionOutcome
SESSION_OUTCOME_DECLINED: SessionOutcome
SESSION_OUTCOME_DENIED: SessionOutcome
SESSION_OUTCOME_EXPIRED: SessionOutcome
SESSION_OUTCOME_FAILED_QUESTIONS: SessionOutcome
SESSION_OUTCOME_NEEDS_ATTENTION: SessionOutcome
SESSION_OUTCOME_QUIT: SessionOutcome
SESSION_OUTCOME_STOPPED: SessionOutcome
SESSION_OUTCOME_UNDER_AGE: SessionOutcome
SESSION_OUTCOME_UNSPECIFIED: SessionOutcome

class AgeCheck(_message.Message):
    __slots__ = ["document_id", "needs_assent", "needs_guardian", "old_enough"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NEEDS_ASSENT_FIELD_NUMBER: _ClassVar[int]
    NEEDS_GUARDIAN_FIELD_NUMBER: _ClassVar[int]
    OLD_ENOUGH_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    needs_assent: bool
    needs_guardian: bool
    old_enough: bool
    def __init__(self, document_id: _Optional[str] = ..., old_enough: bool = ..., needs_guardian: bool = ..., needs_assent: bool = ...) -> None: ...

class AssistedPart(_message.Message):
    __slots__ = ["assistance", "assisted_by", "since"]
    ASSISTANCE_FIELD_NUMBER: _ClassVar[int]
    ASSISTED_BY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    assistance: Assistance
    assisted_by: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, assisted_by: _Optional[str] = ..., assistance: _Optional[_Union[Assistance, str]] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AttemptHistory(_message.Message):
    __slots__ = ["attempts", "renewals"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RENEWALS_FIELD_NUMBER: _ClassVar[int]
    attempts: _containers.RepeatedCompositeFieldContainer[QuestionAttempt]
    renewals: _containers.RepeatedCompositeFieldContainer[RenewedAttempts]
    def __init__(self, attempts: _Optional[_Iterable[_Union[QuestionAttempt, _Mapping]]] = ..., renewals: _Optional[_Iterable[_Union[RenewedAttempts, _Mapping]]] = ...) -> None: ...

class AuthenticationAssertion(_message.Message):
    __slots__ = ["authenticated_at", "challenge", "method", "signer", "verifier_id"]
    AUTHENTICATED_AT_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    SIGNER_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_ID_FIELD_NUMBER: _ClassVar[int]
    authenticated_at: _timestamp_pb2.Timestamp
    challenge: bytes
    method: str
    signer: str
    verifier_id: str
    def __init__(self, challenge: _Optional[bytes] = ..., verifier_id: _Optional[str] = ..., signer: _Optional[str] = ..., method: _Optional[str] = ..., authenticated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BirthDateHistory(_message.Message):
    __slots__ = ["statements"]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    statements: _containers.RepeatedCompositeFieldContainer[BirthDateStatement]
    def __init__(self, statements: _Optional[_Iterable[_Union[BirthDateStatement, _Mapping]]] = ...) -> None: ...

class BirthDateStatement(_message.Message):
    __slots__ = ["actor", "at", "date", "reason", "session_id"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    at: _timestamp_pb2.Timestamp
    date: _text_pb2.CalendarDate
    reason: str
    session_id: str
    def __init__(self, date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., actor: _Optional[str] = ..., session_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ChosenRecord(_message.Message):
    __slots__ = ["record_id", "step_id"]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: str
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., record_id: _Optional[str] = ...) -> None: ...

class DeviceTime(_message.Message):
    __slots__ = ["at", "utc_offset_minutes"]
    AT_FIELD_NUMBER: _ClassVar[int]
    UTC_OFFSET_MINUTES_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    utc_offset_minutes: int
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., utc_offset_minutes: _Optional[int] = ...) -> None: ...

class DocumentLocale(_message.Message):
    __slots__ = ["document_id", "locale"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    locale: str
    def __init__(self, document_id: _Optional[str] = ..., locale: _Optional[str] = ...) -> None: ...

class DocumentResult(_message.Message):
    __slots__ = ["agreed", "decided_at", "declined_purposes", "device_time", "document_id", "file_hash", "locale", "locale_hash", "seen_before", "shown_commitment", "shown_hash", "step_id"]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    DECLINED_PURPOSES_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILE_HASH_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_HASH_FIELD_NUMBER: _ClassVar[int]
    SEEN_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SHOWN_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_HASH_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    agreed: bool
    decided_at: _timestamp_pb2.Timestamp
    declined_purposes: _containers.RepeatedScalarFieldContainer[str]
    device_time: DeviceTime
    document_id: str
    file_hash: str
    locale: str
    locale_hash: str
    seen_before: int
    shown_commitment: str
    shown_hash: str
    step_id: str
    def __init__(self, document_id: _Optional[str] = ..., step_id: _Optional[str] = ..., agreed: bool = ..., decided_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_time: _Optional[_Union[DeviceTime, _Mapping]] = ..., shown_hash: _Optional[str] = ..., locale: _Optional[str] = ..., locale_hash: _Optional[str] = ..., file_hash: _Optional[str] = ..., seen_before: _Optional[int] = ..., declined_purposes: _Optional[_Iterable[str]] = ..., shown_commitment: _Optional[str] = ...) -> None: ...

class DrawnSignature(_message.Message):
    __slots__ = ["field_id", "revision"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    revision: int
    def __init__(self, field_id: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class EarlierConsent(_message.Message):
    __slots__ = ["agreed_at", "document_id", "document_version", "purposes"]
    AGREED_AT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    agreed_at: _timestamp_pb2.Timestamp
    document_id: str
    document_version: int
    purposes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, purposes: _Optional[_Iterable[str]] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., agreed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FilledPlaceholder(_message.Message):
    __slots__ = ["document_id", "name", "value"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., document_id: _Optional[str] = ...) -> None: ...

class FlowAction(_message.Message):
    __slots__ = ["answers", "device_time", "kind", "name", "sharing", "signature"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[_screen_pb2.QuestionAnswer]
    device_time: DeviceTime
    kind: _screen_pb2.ActionKind
    name: _text_pb2.PersonName
    sharing: _screen_pb2.SharingChoice
    signature: SignatureInput
    def __init__(self, kind: _Optional[_Union[_screen_pb2.ActionKind, str]] = ..., answers: _Optional[_Iterable[_Union[_screen_pb2.QuestionAnswer, _Mapping]]] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., signature: _Optional[_Union[SignatureInput, _Mapping]] = ..., device_time: _Optional[_Union[DeviceTime, _Mapping]] = ...) -> None: ...

class FlowPosition(_message.Message):
    __slots__ = ["alert", "closed", "page", "scrolled", "step", "transition"]
    ALERT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    SCROLLED_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    TRANSITION_FIELD_NUMBER: _ClassVar[int]
    alert: _screen_pb2.AlertKind
    closed: bool
    page: int
    scrolled: bool
    step: int
    transition: _screen_pb2.ScreenTransition
    def __init__(self, step: _Optional[int] = ..., page: _Optional[int] = ..., alert: _Optional[_Union[_screen_pb2.AlertKind, str]] = ..., scrolled: bool = ..., transition: _Optional[_Union[_screen_pb2.ScreenTransition, str]] = ..., closed: bool = ...) -> None: ...

class FormResult(_message.Message):
    __slots__ = ["allowed", "decided_at", "device_time", "purpose", "seen_before", "step_id"]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SEEN_BEFORE_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    allowed: bool
    decided_at: _timestamp_pb2.Timestamp
    device_time: DeviceTime
    purpose: str
    seen_before: int
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., purpose: _Optional[str] = ..., allowed: bool = ..., decided_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_time: _Optional[_Union[DeviceTime, _Mapping]] = ..., seen_before: _Optional[int] = ...) -> None: ...

class GivenSignature(_message.Message):
    __slots__ = ["authentication", "device_time", "document_id", "input", "name", "origin", "person_id", "saved_signature_id", "signature_id", "signed_at", "strokes_hash", "typed_in_field"]
    AUTHENTICATION_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SAVED_SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNED_AT_FIELD_NUMBER: _ClassVar[int]
    STROKES_HASH_FIELD_NUMBER: _ClassVar[int]
    TYPED_IN_FIELD_FIELD_NUMBER: _ClassVar[int]
    authentication: VerifiedAuthentication
    device_time: DeviceTime
    document_id: str
    input: SignatureInput
    name: _text_pb2.PersonName
    origin: _document_pb2.SignatureOrigin
    person_id: str
    saved_signature_id: str
    signature_id: str
    signed_at: _timestamp_pb2.Timestamp
    strokes_hash: str
    typed_in_field: bool
    def __init__(self, document_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., input: _Optional[_Union[SignatureInput, _Mapping]] = ..., signed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_time: _Optional[_Union[DeviceTime, _Mapping]] = ..., strokes_hash: _Optional[str] = ..., authentication: _Optional[_Union[VerifiedAuthentication, _Mapping]] = ..., saved_signature_id: _Optional[str] = ..., typed_in_field: bool = ..., person_id: _Optional[str] = ..., origin: _Optional[_Union[_document_pb2.SignatureOrigin, _Mapping]] = ...) -> None: ...

class NamePlace(_message.Message):
    __slots__ = ["signature_id", "step_id"]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    signature_id: str
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., signature_id: _Optional[str] = ...) -> None: ...

class OfflineBundle(_message.Message):
    __slots__ = ["assets", "bundle_hash", "expires_at", "prepared", "screens", "session_id"]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_HASH_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PREPARED_FIELD_NUMBER: _ClassVar[int]
    SCREENS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedScalarFieldContainer[str]
    bundle_hash: str
    expires_at: _timestamp_pb2.Timestamp
    prepared: PreparedVisit
    screens: _containers.RepeatedCompositeFieldContainer[OfflineScreen]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., bundle_hash: _Optional[str] = ..., screens: _Optional[_Iterable[_Union[OfflineScreen, _Mapping]]] = ..., assets: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., prepared: _Optional[_Union[PreparedVisit, _Mapping]] = ...) -> None: ...

class OfflineEdge(_message.Message):
    __slots__ = ["action", "successor"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    action: _screen_pb2.ActionKind
    successor: int
    def __init__(self, action: _Optional[_Union[_screen_pb2.ActionKind, str]] = ..., successor: _Optional[int] = ...) -> None: ...

class OfflineScreen(_message.Message):
    __slots__ = ["edges", "name_before", "names", "outcome", "screen"]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    NAME_BEFORE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SCREEN_FIELD_NUMBER: _ClassVar[int]
    edges: _containers.RepeatedCompositeFieldContainer[OfflineEdge]
    name_before: str
    names: _containers.RepeatedCompositeFieldContainer[NamePlace]
    outcome: SessionOutcome
    screen: _screen_pb2.ConsentScreen
    def __init__(self, screen: _Optional[_Union[_screen_pb2.ConsentScreen, _Mapping]] = ..., edges: _Optional[_Iterable[_Union[OfflineEdge, _Mapping]]] = ..., outcome: _Optional[_Union[SessionOutcome, str]] = ..., names: _Optional[_Iterable[_Union[NamePlace, _Mapping]]] = ..., name_before: _Optional[str] = ...) -> None: ...

class PreparedVisit(_message.Message):
    __slots__ = ["documents", "flow_version", "position", "prepared_at", "texts"]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    FLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    PREPARED_AT_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedCompositeFieldContainer[_flow_pb2.FlowDocument]
    flow_version: int
    position: str
    prepared_at: _timestamp_pb2.Timestamp
    texts: SessionTexts
    def __init__(self, flow_version: _Optional[int] = ..., documents: _Optional[_Iterable[_Union[_flow_pb2.FlowDocument, _Mapping]]] = ..., texts: _Optional[_Union[SessionTexts, _Mapping]] = ..., position: _Optional[str] = ..., prepared_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PurposeDecision(_message.Message):
    __slots__ = ["allowed", "purpose"]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    allowed: bool
    purpose: str
    def __init__(self, purpose: _Optional[str] = ..., allowed: bool = ...) -> None: ...

class QuestionAttempt(_message.Message):
    __slots__ = ["at", "document_id", "passed", "renewed", "score", "session_id", "step_id"]
    AT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    RENEWED_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    document_id: str
    passed: bool
    renewed: bool
    score: int
    session_id: str
    step_id: str
    def __init__(self, document_id: _Optional[str] = ..., step_id: _Optional[str] = ..., score: _Optional[int] = ..., passed: bool = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., session_id: _Optional[str] = ..., renewed: bool = ...) -> None: ...

class Reauthentication(_message.Message):
    __slots__ = ["assertion", "signature"]
    ASSERTION_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    assertion: bytes
    signature: bytes
    def __init__(self, assertion: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class RenewedAttempts(_message.Message):
    __slots__ = ["actor", "at", "reason"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    actor: str
    at: _timestamp_pb2.Timestamp
    reason: str
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SessionResult(_message.Message):
    __slots__ = ["ended_at", "flow_id", "flow_version", "outcome", "session_id", "started_at", "steps"]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    ended_at: _timestamp_pb2.Timestamp
    flow_id: str
    flow_version: int
    outcome: SessionOutcome
    session_id: str
    started_at: _timestamp_pb2.Timestamp
    steps: _containers.RepeatedCompositeFieldContainer[SessionStepResult]
    def __init__(self, session_id: _Optional[str] = ..., flow_id: _Optional[str] = ..., flow_version: _Optional[int] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[SessionOutcome, str]] = ..., steps: _Optional[_Iterable[_Union[SessionStepResult, _Mapping]]] = ...) -> None: ...

class SessionState(_message.Message):
    __slots__ = ["acted_at", "answers", "assistants", "attempts", "birth_date", "birth_date_given", "birth_date_stated", "documents", "earlier_consents", "former_holders", "forms", "outcome", "pending_names", "position", "review_hash", "seen_before", "sharing", "signatures", "started_at", "steps", "texts"]
    ACTED_AT_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    ASSISTANTS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_GIVEN_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_STATED_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    EARLIER_CONSENTS_FIELD_NUMBER: _ClassVar[int]
    FORMER_HOLDERS_FIELD_NUMBER: _ClassVar[int]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PENDING_NAMES_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REVIEW_HASH_FIELD_NUMBER: _ClassVar[int]
    SEEN_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    acted_at: _timestamp_pb2.Timestamp
    answers: _containers.RepeatedCompositeFieldContainer[StepAnswers]
    assistants: _containers.RepeatedCompositeFieldContainer[AssistedPart]
    attempts: _containers.RepeatedCompositeFieldContainer[QuestionAttempt]
    birth_date: _text_pb2.CalendarDate
    birth_date_given: bool
    birth_date_stated: bool
    documents: _containers.RepeatedCompositeFieldContainer[DocumentResult]
    earlier_consents: _containers.RepeatedCompositeFieldContainer[EarlierConsent]
    former_holders: _containers.RepeatedScalarFieldContainer[str]
    forms: _containers.RepeatedCompositeFieldContainer[FormResult]
    outcome: SessionOutcome
    pending_names: _containers.RepeatedCompositeFieldContainer[GivenSignature]
    position: FlowPosition
    review_hash: str
    seen_before: int
    sharing: _containers.RepeatedCompositeFieldContainer[SharingResult]
    signatures: _containers.RepeatedCompositeFieldContainer[GivenSignature]
    started_at: _timestamp_pb2.Timestamp
    steps: _containers.RepeatedCompositeFieldContainer[StepResult]
    texts: SessionTexts
    def __init__(self, position: _Optional[_Union[FlowPosition, _Mapping]] = ..., outcome: _Optional[_Union[SessionOutcome, str]] = ..., steps: _Optional[_Iterable[_Union[StepResult, _Mapping]]] = ..., forms: _Optional[_Iterable[_Union[FormResult, _Mapping]]] = ..., attempts: _Optional[_Iterable[_Union[QuestionAttempt, _Mapping]]] = ..., answers: _Optional[_Iterable[_Union[StepAnswers, _Mapping]]] = ..., sharing: _Optional[_Iterable[_Union[SharingResult, _Mapping]]] = ..., documents: _Optional[_Iterable[_Union[DocumentResult, _Mapping]]] = ..., signatures: _Optional[_Iterable[_Union[GivenSignature, _Mapping]]] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., pending_names: _Optional[_Iterable[_Union[GivenSignature, _Mapping]]] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., acted_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., birth_date_given: bool = ..., assistants: _Optional[_Iterable[_Union[AssistedPart, _Mapping]]] = ..., birth_date_stated: bool = ..., texts: _Optional[_Union[SessionTexts, _Mapping]] = ..., review_hash: _Optional[str] = ..., seen_before: _Optional[int] = ..., earlier_consents: _Optional[_Iterable[_Union[EarlierConsent, _Mapping]]] = ..., former_holders: _Optional[_Iterable[str]] = ...) -> None: ...

class SessionStepResult(_message.Message):
    __slots__ = ["answers", "attempts", "document", "ended_at", "finished", "forms", "sharing", "signatures", "started_at", "step_id"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[_screen_pb2.QuestionAnswer]
    attempts: _containers.RepeatedCompositeFieldContainer[QuestionAttempt]
    document: DocumentResult
    ended_at: _timestamp_pb2.Timestamp
    finished: bool
    forms: _containers.RepeatedCompositeFieldContainer[FormResult]
    sharing: _screen_pb2.SharingChoice
    signatures: _containers.RepeatedCompositeFieldContainer[GivenSignature]
    started_at: _timestamp_pb2.Timestamp
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., finished: bool = ..., answers: _Optional[_Iterable[_Union[_screen_pb2.QuestionAnswer, _Mapping]]] = ..., attempts: _Optional[_Iterable[_Union[QuestionAttempt, _Mapping]]] = ..., forms: _Optional[_Iterable[_Union[FormResult, _Mapping]]] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., document: _Optional[_Union[DocumentResult, _Mapping]] = ..., signatures: _Optional[_Iterable[_Union[GivenSignature, _Mapping]]] = ...) -> None: ...

class SessionSummary(_message.Message):
    __slots__ = ["assisted_by", "device_id", "expires_at", "flow_id", "flow_version", "locale", "outcome", "record_ids", "session_id", "site_id", "started_at", "study_id", "subject_id", "test", "version"]
    ASSISTED_BY_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    RECORD_IDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    assisted_by: str
    device_id: str
    expires_at: _timestamp_pb2.Timestamp
    flow_id: str
    flow_version: int
    locale: str
    outcome: SessionOutcome
    record_ids: _containers.RepeatedScalarFieldContainer[str]
    session_id: str
    site_id: str
    started_at: _timestamp_pb2.Timestamp
    study_id: str
    subject_id: str
    test: bool
    version: int
    def __init__(self, session_id: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., flow_id: _Optional[str] = ..., flow_version: _Optional[int] = ..., locale: _Optional[str] = ..., device_id: _Optional[str] = ..., version: _Optional[int] = ..., outcome: _Optional[_Union[SessionOutcome, str]] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., test: bool = ..., assisted_by: _Optional[str] = ..., record_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class SessionTexts(_message.Message):
    __slots__ = ["documents", "filled", "texts_version"]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    FILLED_FIELD_NUMBER: _ClassVar[int]
    TEXTS_VERSION_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedCompositeFieldContainer[DocumentLocale]
    filled: _containers.RepeatedCompositeFieldContainer[FilledPlaceholder]
    texts_version: int
    def __init__(self, texts_version: _Optional[int] = ..., documents: _Optional[_Iterable[_Union[DocumentLocale, _Mapping]]] = ..., filled: _Optional[_Iterable[_Union[FilledPlaceholder, _Mapping]]] = ...) -> None: ...

class SessionView(_message.Message):
    __slots__ = ["allowed_purposes", "assistance", "assistants", "assisted_by", "expires_at", "flow_id", "invitation_state", "outcome", "record_ids", "screen", "session_id", "site_id", "study_id", "successor", "test", "version"]
    ALLOWED_PURPOSES_FIELD_NUMBER: _ClassVar[int]
    ASSISTANCE_FIELD_NUMBER: _ClassVar[int]
    ASSISTANTS_FIELD_NUMBER: _ClassVar[int]
    ASSISTED_BY_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_STATE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    RECORD_IDS_FIELD_NUMBER: _ClassVar[int]
    SCREEN_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    allowed_purposes: _containers.RepeatedScalarFieldContainer[str]
    assistance: Assistance
    assistants: _containers.RepeatedCompositeFieldContainer[AssistedPart]
    assisted_by: str
    expires_at: _timestamp_pb2.Timestamp
    flow_id: str
    invitation_state: _study_pb2.InvitationState
    outcome: SessionOutcome
    record_ids: _containers.RepeatedScalarFieldContainer[str]
    screen: _screen_pb2.ConsentScreen
    session_id: str
    site_id: str
    study_id: str
    successor: _flow_pb2.FlowDocument
    test: bool
    version: int
    def __init__(self, session_id: _Optional[str] = ..., version: _Optional[int] = ..., screen: _Optional[_Union[_screen_pb2.ConsentScreen, _Mapping]] = ..., outcome: _Optional[_Union[SessionOutcome, str]] = ..., allowed_purposes: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., record_ids: _Optional[_Iterable[str]] = ..., successor: _Optional[_Union[_flow_pb2.FlowDocument, _Mapping]] = ..., test: bool = ..., assisted_by: _Optional[str] = ..., assistance: _Optional[_Union[Assistance, str]] = ..., assistants: _Optional[_Iterable[_Union[AssistedPart, _Mapping]]] = ..., flow_id: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., invitation_state: _Optional[_Union[_study_pb2.InvitationState, str]] = ...) -> None: ...

class SharingResult(_message.Message):
    __slots__ = ["choice", "document_id"]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    choice: _screen_pb2.SharingChoice
    document_id: str
    def __init__(self, document_id: _Optional[str] = ..., choice: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ...) -> None: ...

class SignatureInput(_message.Message):
    __slots__ = ["drawn", "other_than_name", "reauthentication", "typed"]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    OTHER_THAN_NAME_FIELD_NUMBER: _ClassVar[int]
    REAUTHENTICATION_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    drawn: DrawnSignature
    other_than_name: bool
    reauthentication: Reauthentication
    typed: TypedSignature
    def __init__(self, drawn: _Optional[_Union[DrawnSignature, _Mapping]] = ..., typed: _Optional[_Union[TypedSignature, _Mapping]] = ..., reauthentication: _Optional[_Union[Reauthentication, _Mapping]] = ..., other_than_name: bool = ...) -> None: ...

class StepAnswers(_message.Message):
    __slots__ = ["answers", "step_id"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[_screen_pb2.QuestionAnswer]
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., answers: _Optional[_Iterable[_Union[_screen_pb2.QuestionAnswer, _Mapping]]] = ...) -> None: ...

class StepResult(_message.Message):
    __slots__ = ["ended_at", "finished", "started_at", "step_id"]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    ended_at: _timestamp_pb2.Timestamp
    finished: bool
    started_at: _timestamp_pb2.Timestamp
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., finished: bool = ...) -> None: ...

class TypedSignature(_message.Message):
    __slots__ = ["font", "text"]
    FONT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    font: str
    text: str
    def __init__(self, text: _Optional[str] = ..., font: _Optional[str] = ...) -> None: ...

class VerifiedAuthentication(_message.Message):
    __slots__ = ["authenticated_at", "by_device_time", "method", "proof", "public_key", "signer", "verifier_id"]
    AUTHENTICATED_AT_FIELD_NUMBER: _ClassVar[int]
    BY_DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    SIGNER_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_ID_FIELD_NUMBER: _ClassVar[int]
    authenticated_at: _timestamp_pb2.Timestamp
    by_device_time: bool
    method: str
    proof: Reauthentication
    public_key: bytes
    signer: str
    verifier_id: str
    def __init__(self, verifier_id: _Optional[str] = ..., public_key: _Optional[bytes] = ..., signer: _Optional[str] = ..., method: _Optional[str] = ..., authenticated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., proof: _Optional[_Union[Reauthentication, _Mapping]] = ..., by_device_time: bool = ...) -> None: ...

class Assistance(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SessionOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
