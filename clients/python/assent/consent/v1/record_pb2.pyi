from assent.consent.v1 import document_pb2 as _document_pb2
from assent.consent.v1 import screen_pb2 as _screen_pb2
from assent.consent.v1 import session_pb2 as _session_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
DUE_REASON_EXPIRY: DueReason
DUE_REASON_MAJORITY: DueReason
DUE_REASON_NEW_VERSION: DueReason
DUE_REASON_NOTIFY: DueReason
DUE_REASON_UNSPECIFIED: DueReason
ENTRY_KIND_ATTENTION_CONFIRMED: EntryKind
ENTRY_KIND_DECLINED: EntryKind
ENTRY_KIND_EXPIRED: EntryKind
ENTRY_KIND_GIVEN: EntryKind
ENTRY_KIND_IN_FORCE: EntryKind
ENTRY_KIND_NAME_CORRECTED: EntryKind
ENTRY_KIND_NEEDS_ATTENTION: EntryKind
ENTRY_KIND_PAPER_REGISTERED: EntryKind
ENTRY_KIND_RECONSENT_DUE: EntryKind
ENTRY_KIND_REINSTATED: EntryKind
ENTRY_KIND_REJECTED: EntryKind
ENTRY_KIND_RENDERED: EntryKind
ENTRY_KIND_SHARING_CHANGED: EntryKind
ENTRY_KIND_SIGNED: EntryKind
ENTRY_KIND_SIGNING_DECLINED: EntryKind
ENTRY_KIND_SUPERSEDED: EntryKind
ENTRY_KIND_UNSPECIFIED: EntryKind
ENTRY_KIND_VOIDED: EntryKind
ENTRY_KIND_VOID_REFUSED: EntryKind
ENTRY_KIND_VOID_REQUESTED: EntryKind
ENTRY_KIND_WITHDRAWN: EntryKind
RECORD_CONCERN_COPY_FAILED: RecordConcern
RECORD_CONCERN_COPY_WAITS: RecordConcern
RECORD_CONCERN_SIGNING_DECLINED: RecordConcern
RECORD_CONCERN_UNSPECIFIED: RecordConcern
RECORD_CONCERN_VOID_REQUESTED: RecordConcern
RECORD_KIND_DOCUMENT: RecordKind
RECORD_KIND_FORM: RecordKind
RECORD_KIND_PAPER: RecordKind
RECORD_KIND_UNSPECIFIED: RecordKind
RECORD_STATE_AWAITING_SIGNATURES: RecordState
RECORD_STATE_DECLINED: RecordState
RECORD_STATE_ERASED: RecordState
RECORD_STATE_EXPIRED: RecordState
RECORD_STATE_IN_FORCE: RecordState
RECORD_STATE_NEEDS_ATTENTION: RecordState
RECORD_STATE_RECONSENT_DUE: RecordState
RECORD_STATE_REJECTED: RecordState
RECORD_STATE_SUPERSEDED: RecordState
RECORD_STATE_UNSPECIFIED: RecordState
RECORD_STATE_VOIDED: RecordState
RECORD_STATE_WITHDRAWN: RecordState
SIGNED_COPY_STATE_FAILED: SignedCopyState
SIGNED_COPY_STATE_SEALED: SignedCopyState
SIGNED_COPY_STATE_SEALING: SignedCopyState
SIGNED_COPY_STATE_SIGNING: SignedCopyState
SIGNED_COPY_STATE_UNSPECIFIED: SignedCopyState

class ConsentDecision(_message.Message):
    __slots__ = ["actor", "clock_behind", "decided_at", "filed_before", "number", "purpose", "record_id", "seen_before", "session_id", "study_id", "subject_id", "test", "voids", "yes"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CLOCK_BEHIND_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    FILED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SEEN_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    YES_FIELD_NUMBER: _ClassVar[int]
    actor: str
    clock_behind: bool
    decided_at: _timestamp_pb2.Timestamp
    filed_before: int
    number: int
    purpose: str
    record_id: str
    seen_before: int
    session_id: str
    study_id: str
    subject_id: str
    test: bool
    voids: int
    yes: bool
    def __init__(self, number: _Optional[int] = ..., study_id: _Optional[str] = ..., purpose: _Optional[str] = ..., yes: bool = ..., decided_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., clock_behind: bool = ..., actor: _Optional[str] = ..., record_id: _Optional[str] = ..., session_id: _Optional[str] = ..., filed_before: _Optional[int] = ..., seen_before: _Optional[int] = ..., test: bool = ..., subject_id: _Optional[str] = ..., voids: _Optional[int] = ...) -> None: ...

class ConsentRecord(_message.Message):
    __slots__ = ["age_check", "assistance", "assistants", "assisted_by", "attempts", "attention", "attested_by", "decided_at", "declined_purposes", "declined_signatures", "device_id", "document_id", "document_version", "expires_at", "file_hash", "filed_before", "flow_id", "flow_version", "history", "in_force_at", "kind", "locale", "locale_hash", "majority_month", "own_screens", "participant_copy", "purposes", "record_id", "scan_hash", "session_id", "sharing", "shown_hash", "signatures", "signatures_due_by", "signed_copy", "site_id", "state", "step_id", "study_id", "subject_id", "superseded_purposes", "test", "texts_hash", "texts_version", "version_hash", "void_requested_by", "withdrawn_purposes"]
    AGE_CHECK_FIELD_NUMBER: _ClassVar[int]
    ASSISTANCE_FIELD_NUMBER: _ClassVar[int]
    ASSISTANTS_FIELD_NUMBER: _ClassVar[int]
    ASSISTED_BY_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    ATTESTED_BY_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    DECLINED_PURPOSES_FIELD_NUMBER: _ClassVar[int]
    DECLINED_SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    FILED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    FILE_HASH_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    IN_FORCE_AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_HASH_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_MONTH_FIELD_NUMBER: _ClassVar[int]
    OWN_SCREENS_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SCAN_HASH_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SHOWN_HASH_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_DUE_BY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    SIGNED_COPY_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_PURPOSES_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    TEXTS_HASH_FIELD_NUMBER: _ClassVar[int]
    TEXTS_VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_HASH_FIELD_NUMBER: _ClassVar[int]
    VOID_REQUESTED_BY_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_PURPOSES_FIELD_NUMBER: _ClassVar[int]
    age_check: _session_pb2.AgeCheck
    assistance: _session_pb2.Assistance
    assistants: _containers.RepeatedCompositeFieldContainer[_session_pb2.AssistedPart]
    assisted_by: str
    attempts: _containers.RepeatedCompositeFieldContainer[_session_pb2.QuestionAttempt]
    attention: str
    attested_by: str
    decided_at: _timestamp_pb2.Timestamp
    declined_purposes: _containers.RepeatedScalarFieldContainer[str]
    declined_signatures: _containers.RepeatedScalarFieldContainer[str]
    device_id: str
    document_id: str
    document_version: int
    expires_at: _timestamp_pb2.Timestamp
    file_hash: str
    filed_before: int
    flow_id: str
    flow_version: int
    history: _containers.RepeatedCompositeFieldContainer[RecordEntry]
    in_force_at: _timestamp_pb2.Timestamp
    kind: RecordKind
    locale: str
    locale_hash: str
    majority_month: str
    own_screens: bool
    participant_copy: SignedCopy
    purposes: _containers.RepeatedScalarFieldContainer[str]
    record_id: str
    scan_hash: str
    session_id: str
    sharing: _screen_pb2.SharingChoice
    shown_hash: str
    signatures: _containers.RepeatedCompositeFieldContainer[RecordSignature]
    signatures_due_by: _timestamp_pb2.Timestamp
    signed_copy: SignedCopy
    site_id: str
    state: RecordState
    step_id: str
    study_id: str
    subject_id: str
    superseded_purposes: _containers.RepeatedScalarFieldContainer[str]
    test: bool
    texts_hash: str
    texts_version: int
    version_hash: str
    void_requested_by: str
    withdrawn_purposes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, record_id: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., kind: _Optional[_Union[RecordKind, str]] = ..., state: _Optional[_Union[RecordState, str]] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., version_hash: _Optional[str] = ..., locale: _Optional[str] = ..., locale_hash: _Optional[str] = ..., shown_hash: _Optional[str] = ..., flow_id: _Optional[str] = ..., flow_version: _Optional[int] = ..., step_id: _Optional[str] = ..., purposes: _Optional[_Iterable[str]] = ..., withdrawn_purposes: _Optional[_Iterable[str]] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., attempts: _Optional[_Iterable[_Union[_session_pb2.QuestionAttempt, _Mapping]]] = ..., age_check: _Optional[_Union[_session_pb2.AgeCheck, _Mapping]] = ..., signatures: _Optional[_Iterable[_Union[RecordSignature, _Mapping]]] = ..., history: _Optional[_Iterable[_Union[RecordEntry, _Mapping]]] = ..., session_id: _Optional[str] = ..., device_id: _Optional[str] = ..., decided_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., in_force_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., test: bool = ..., attested_by: _Optional[str] = ..., scan_hash: _Optional[str] = ..., attention: _Optional[str] = ..., majority_month: _Optional[str] = ..., texts_version: _Optional[int] = ..., texts_hash: _Optional[str] = ..., assisted_by: _Optional[str] = ..., assistance: _Optional[_Union[_session_pb2.Assistance, str]] = ..., signed_copy: _Optional[_Union[SignedCopy, _Mapping]] = ..., own_screens: bool = ..., file_hash: _Optional[str] = ..., assistants: _Optional[_Iterable[_Union[_session_pb2.AssistedPart, _Mapping]]] = ..., participant_copy: _Optional[_Union[SignedCopy, _Mapping]] = ..., superseded_purposes: _Optional[_Iterable[str]] = ..., filed_before: _Optional[int] = ..., declined_purposes: _Optional[_Iterable[str]] = ..., signatures_due_by: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., declined_signatures: _Optional[_Iterable[str]] = ..., void_requested_by: _Optional[str] = ...) -> None: ...

class CorrectedName(_message.Message):
    __slots__ = ["name_salt", "printed_name"]
    NAME_SALT_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    name_salt: bytes
    printed_name: str
    def __init__(self, printed_name: _Optional[str] = ..., name_salt: _Optional[bytes] = ...) -> None: ...

class DueConsent(_message.Message):
    __slots__ = ["document_id", "document_version", "due_by", "due_version", "reason", "record_id", "subject_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    DUE_BY_FIELD_NUMBER: _ClassVar[int]
    DUE_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    document_version: int
    due_by: _timestamp_pb2.Timestamp
    due_version: int
    reason: DueReason
    record_id: str
    subject_id: str
    def __init__(self, record_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., due_version: _Optional[int] = ..., reason: _Optional[_Union[DueReason, str]] = ..., due_by: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EntryReason(_message.Message):
    __slots__ = ["reason", "sequence"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    reason: str
    sequence: int
    def __init__(self, sequence: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class NameCorrection(_message.Message):
    __slots__ = ["name_commitment", "printed_name"]
    NAME_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    name_commitment: str
    printed_name: str
    def __init__(self, printed_name: _Optional[str] = ..., name_commitment: _Optional[str] = ...) -> None: ...

class RecordEntry(_message.Message):
    __slots__ = ["actor", "at", "attention", "device_time", "kind", "merged", "on_behalf", "purposes", "queued_by", "reason", "sequence", "sharing", "signature_id", "superseded_by"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MERGED_FIELD_NUMBER: _ClassVar[int]
    ON_BEHALF_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    QUEUED_BY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    actor: str
    at: _timestamp_pb2.Timestamp
    attention: str
    device_time: _session_pb2.DeviceTime
    kind: EntryKind
    merged: bool
    on_behalf: bool
    purposes: _containers.RepeatedScalarFieldContainer[str]
    queued_by: str
    reason: str
    sequence: int
    sharing: _screen_pb2.SharingChoice
    signature_id: str
    superseded_by: str
    def __init__(self, sequence: _Optional[int] = ..., kind: _Optional[_Union[EntryKind, str]] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., purposes: _Optional[_Iterable[str]] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., signature_id: _Optional[str] = ..., superseded_by: _Optional[str] = ..., on_behalf: bool = ..., merged: bool = ..., queued_by: _Optional[str] = ..., attention: _Optional[str] = ...) -> None: ...

class RecordSecrets(_message.Message):
    __slots__ = ["attempts", "attested_by", "entered", "majority_month", "majority_stated", "reasons", "scan_commitment", "shown_commitment", "signatures"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    ATTESTED_BY_FIELD_NUMBER: _ClassVar[int]
    ENTERED_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_MONTH_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_STATED_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    SCAN_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    attempts: _containers.RepeatedCompositeFieldContainer[_session_pb2.QuestionAttempt]
    attested_by: str
    entered: _containers.RepeatedCompositeFieldContainer[_screen_pb2.RecapLine]
    majority_month: str
    majority_stated: bool
    reasons: _containers.RepeatedCompositeFieldContainer[EntryReason]
    scan_commitment: str
    shown_commitment: str
    signatures: _containers.RepeatedCompositeFieldContainer[SignatureSecret]
    def __init__(self, signatures: _Optional[_Iterable[_Union[SignatureSecret, _Mapping]]] = ..., reasons: _Optional[_Iterable[_Union[EntryReason, _Mapping]]] = ..., attested_by: _Optional[str] = ..., majority_month: _Optional[str] = ..., scan_commitment: _Optional[str] = ..., majority_stated: bool = ..., attempts: _Optional[_Iterable[_Union[_session_pb2.QuestionAttempt, _Mapping]]] = ..., shown_commitment: _Optional[str] = ..., entered: _Optional[_Iterable[_Union[_screen_pb2.RecapLine, _Mapping]]] = ...) -> None: ...

class RecordSignature(_message.Message):
    __slots__ = ["authentication", "authority", "corrections", "device_time", "field_id", "field_revision", "image_hash", "meaning", "name_commitment", "origin", "other_than_name", "person_id", "printed_name", "role", "saved_signature_id", "signature_id", "signed_at", "signer", "strokes_hash", "typed"]
    AUTHENTICATION_FIELD_NUMBER: _ClassVar[int]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    FIELD_REVISION_FIELD_NUMBER: _ClassVar[int]
    IMAGE_HASH_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    NAME_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    OTHER_THAN_NAME_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SAVED_SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNED_AT_FIELD_NUMBER: _ClassVar[int]
    SIGNER_FIELD_NUMBER: _ClassVar[int]
    STROKES_HASH_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    authentication: _session_pb2.VerifiedAuthentication
    authority: str
    corrections: _containers.RepeatedCompositeFieldContainer[NameCorrection]
    device_time: _session_pb2.DeviceTime
    field_id: str
    field_revision: int
    image_hash: str
    meaning: str
    name_commitment: str
    origin: _document_pb2.SignatureOrigin
    other_than_name: bool
    person_id: str
    printed_name: str
    role: _document_pb2.SignerRole
    saved_signature_id: str
    signature_id: str
    signed_at: _timestamp_pb2.Timestamp
    signer: str
    strokes_hash: str
    typed: bool
    def __init__(self, signature_id: _Optional[str] = ..., role: _Optional[_Union[_document_pb2.SignerRole, str]] = ..., printed_name: _Optional[str] = ..., name_commitment: _Optional[str] = ..., field_id: _Optional[str] = ..., strokes_hash: _Optional[str] = ..., typed: bool = ..., signed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ..., meaning: _Optional[str] = ..., authentication: _Optional[_Union[_session_pb2.VerifiedAuthentication, _Mapping]] = ..., authority: _Optional[str] = ..., signer: _Optional[str] = ..., image_hash: _Optional[str] = ..., field_revision: _Optional[int] = ..., saved_signature_id: _Optional[str] = ..., person_id: _Optional[str] = ..., origin: _Optional[_Union[_document_pb2.SignatureOrigin, _Mapping]] = ..., other_than_name: bool = ..., corrections: _Optional[_Iterable[_Union[NameCorrection, _Mapping]]] = ...) -> None: ...

class SealedFile(_message.Message):
    __slots__ = ["commitment", "hash"]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    commitment: str
    hash: str
    def __init__(self, hash: _Optional[str] = ..., commitment: _Optional[str] = ...) -> None: ...

class SignatureSecret(_message.Message):
    __slots__ = ["corrections", "image_commitment", "name_salt", "printed_name", "signature_id", "typed", "typed_salt"]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    IMAGE_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    NAME_SALT_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    TYPED_SALT_FIELD_NUMBER: _ClassVar[int]
    corrections: _containers.RepeatedCompositeFieldContainer[CorrectedName]
    image_commitment: str
    name_salt: bytes
    printed_name: str
    signature_id: str
    typed: _session_pb2.TypedSignature
    typed_salt: bytes
    def __init__(self, signature_id: _Optional[str] = ..., printed_name: _Optional[str] = ..., name_salt: _Optional[bytes] = ..., typed: _Optional[_Union[_session_pb2.TypedSignature, _Mapping]] = ..., typed_salt: _Optional[bytes] = ..., image_commitment: _Optional[str] = ..., corrections: _Optional[_Iterable[_Union[CorrectedName, _Mapping]]] = ...) -> None: ...

class SignedCopy(_message.Message):
    __slots__ = ["attested_until", "byte_count", "hash", "level", "reason", "sealed_at", "sealed_by", "state", "verification_id"]
    ATTESTED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEALED_AT_FIELD_NUMBER: _ClassVar[int]
    SEALED_BY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    attested_until: _timestamp_pb2.Timestamp
    byte_count: int
    hash: str
    level: str
    reason: str
    sealed_at: _timestamp_pb2.Timestamp
    sealed_by: str
    state: SignedCopyState
    verification_id: str
    def __init__(self, state: _Optional[_Union[SignedCopyState, str]] = ..., reason: _Optional[str] = ..., verification_id: _Optional[str] = ..., hash: _Optional[str] = ..., level: _Optional[str] = ..., sealed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., sealed_by: _Optional[str] = ..., byte_count: _Optional[int] = ..., attested_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SigningTask(_message.Message):
    __slots__ = ["authority", "challenge", "meaning", "place", "record_id", "role", "signature_id", "since", "site_id", "study_id", "subject_id"]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    authority: str
    challenge: bytes
    meaning: str
    place: _screen_pb2.SignaturePlace
    record_id: str
    role: _document_pb2.SignerRole
    signature_id: str
    since: _timestamp_pb2.Timestamp
    site_id: str
    study_id: str
    subject_id: str
    def __init__(self, record_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., role: _Optional[_Union[_document_pb2.SignerRole, str]] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., challenge: _Optional[bytes] = ..., place: _Optional[_Union[_screen_pb2.SignaturePlace, _Mapping]] = ..., meaning: _Optional[str] = ..., authority: _Optional[str] = ...) -> None: ...

class SiteCount(_message.Message):
    __slots__ = ["count", "site_id"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    count: int
    site_id: str
    def __init__(self, site_id: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class StepCount(_message.Message):
    __slots__ = ["count", "step_id"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    count: int
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class StoredCopy(_message.Message):
    __slots__ = ["copy", "files", "kept", "record_id", "signature_ids"]
    COPY_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_IDS_FIELD_NUMBER: _ClassVar[int]
    copy: SignedCopy
    files: _containers.RepeatedCompositeFieldContainer[SealedFile]
    kept: _containers.RepeatedScalarFieldContainer[int]
    record_id: str
    signature_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, copy: _Optional[_Union[SignedCopy, _Mapping]] = ..., files: _Optional[_Iterable[_Union[SealedFile, _Mapping]]] = ..., record_id: _Optional[str] = ..., signature_ids: _Optional[_Iterable[str]] = ..., kept: _Optional[_Iterable[int]] = ...) -> None: ...

class VersionCounts(_message.Message):
    __slots__ = ["completed", "declined", "in_force", "in_force_at", "started", "stopped_at", "withdrawn"]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    IN_FORCE_AT_FIELD_NUMBER: _ClassVar[int]
    IN_FORCE_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    STOPPED_AT_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    completed: int
    declined: int
    in_force: int
    in_force_at: _containers.RepeatedCompositeFieldContainer[SiteCount]
    started: int
    stopped_at: _containers.RepeatedCompositeFieldContainer[StepCount]
    withdrawn: int
    def __init__(self, started: _Optional[int] = ..., completed: _Optional[int] = ..., declined: _Optional[int] = ..., withdrawn: _Optional[int] = ..., stopped_at: _Optional[_Iterable[_Union[StepCount, _Mapping]]] = ..., in_force: _Optional[int] = ..., in_force_at: _Optional[_Iterable[_Union[SiteCount, _Mapping]]] = ...) -> None: ...

class RecordKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RecordState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RecordConcern(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class EntryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SignedCopyState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DueReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
