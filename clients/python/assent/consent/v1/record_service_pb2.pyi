from assent.common.v1 import trail_pb2 as _trail_pb2
from assent.consent.v1 import check_pb2 as _check_pb2
from assent.consent.v1 import event_pb2 as _event_pb2
from assent.consent.v1 import record_pb2 as _record_pb2
from assent.consent.v1 import screen_pb2 as _screen_pb2
from assent.consent.v1 import session_pb2 as _session_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ATTENTION_DECISION_CONFIRM: AttentionDecision
ATTENTION_DECISION_REJECT: AttentionDecision
ATTENTION_DECISION_UNSPECIFIED: AttentionDecision
COPY_COMPARISON_DIFFERENT: CopyComparison
COPY_COMPARISON_EARLIER: CopyComparison
COPY_COMPARISON_ERASED: CopyComparison
COPY_COMPARISON_SAME: CopyComparison
COPY_COMPARISON_UNSPECIFIED: CopyComparison
DESCRIPTOR: _descriptor.FileDescriptor
RECORDS_FORMAT_DECISIONS_CSV: RecordsFormat
RECORDS_FORMAT_DECISIONS_NDJSON: RecordsFormat
RECORDS_FORMAT_RECORDS_CSV: RecordsFormat
RECORDS_FORMAT_RECORDS_NDJSON: RecordsFormat
RECORDS_FORMAT_SIGNED_COPIES_ZIP: RecordsFormat
RECORDS_FORMAT_UNSPECIFIED: RecordsFormat
RECORD_FORMAT_FHIR_R4B: RecordFormat
RECORD_FORMAT_FHIR_R5: RecordFormat
RECORD_FORMAT_RECEIPT: RecordFormat
RECORD_FORMAT_UNSPECIFIED: RecordFormat
SEAL_FILE_PART_SEAL: SealFilePart
SEAL_FILE_PART_SEAL_WITH_PROOFS: SealFilePart
SEAL_FILE_PART_TIME: SealFilePart
SEAL_FILE_PART_UNSPECIFIED: SealFilePart
TABLE_FORMAT_CSV: TableFormat
TABLE_FORMAT_NDJSON: TableFormat
TABLE_FORMAT_UNSPECIFIED: TableFormat

class BatchCheckConsentsRequest(_message.Message):
    __slots__ = ["questions", "study_id"]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[_check_pb2.ConsentQuestion]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., questions: _Optional[_Iterable[_Union[_check_pb2.ConsentQuestion, _Mapping]]] = ...) -> None: ...

class BatchCheckConsentsResponse(_message.Message):
    __slots__ = ["answers"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[_check_pb2.ConsentAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[_check_pb2.ConsentAnswer, _Mapping]]] = ...) -> None: ...

class CheckConsentRequest(_message.Message):
    __slots__ = ["purpose", "study_id", "subject_id"]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., purpose: _Optional[str] = ...) -> None: ...

class CheckConsentResponse(_message.Message):
    __slots__ = ["answer"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    answer: _check_pb2.ConsentAnswer
    def __init__(self, answer: _Optional[_Union[_check_pb2.ConsentAnswer, _Mapping]] = ...) -> None: ...

class CheckSignedCopyRequest(_message.Message):
    __slots__ = ["sha256", "verification_id"]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    sha256: str
    verification_id: str
    def __init__(self, verification_id: _Optional[str] = ..., sha256: _Optional[str] = ...) -> None: ...

class CheckSignedCopyResponse(_message.Message):
    __slots__ = ["comparison", "copy", "erased", "participant_copy"]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    comparison: CopyComparison
    copy: _record_pb2.SignedCopy
    erased: bool
    participant_copy: bool
    def __init__(self, copy: _Optional[_Union[_record_pb2.SignedCopy, _Mapping]] = ..., erased: bool = ..., comparison: _Optional[_Union[CopyComparison, str]] = ..., participant_copy: bool = ...) -> None: ...

class CorrectPrintedNameRequest(_message.Message):
    __slots__ = ["name", "reason", "record_id", "signature_id"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    name: _text_pb2.PersonName
    reason: str
    record_id: str
    signature_id: str
    def __init__(self, record_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class CorrectPrintedNameResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class CreatePaperRecordRequest(_message.Message):
    __slots__ = ["attested_by", "birth_date", "document_id", "document_version", "locale", "purposes", "scan", "sharing", "signed_at", "signers", "site_id", "study_id", "subject_id"]
    ATTESTED_BY_FIELD_NUMBER: _ClassVar[int]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    SCAN_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNED_AT_FIELD_NUMBER: _ClassVar[int]
    SIGNERS_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    attested_by: str
    birth_date: _text_pb2.CalendarDate
    document_id: str
    document_version: int
    locale: str
    purposes: _containers.RepeatedCompositeFieldContainer[_session_pb2.PurposeDecision]
    scan: bytes
    sharing: _screen_pb2.SharingChoice
    signed_at: _timestamp_pb2.Timestamp
    signers: _containers.RepeatedCompositeFieldContainer[PaperSigner]
    site_id: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., locale: _Optional[str] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., signed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., scan: _Optional[bytes] = ..., attested_by: _Optional[str] = ..., purposes: _Optional[_Iterable[_Union[_session_pb2.PurposeDecision, _Mapping]]] = ..., signers: _Optional[_Iterable[_Union[PaperSigner, _Mapping]]] = ...) -> None: ...

class CreatePaperRecordResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class EraseSubjectRequest(_message.Message):
    __slots__ = ["reason", "subject_id"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    reason: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EraseSubjectResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ExportDossierRequest(_message.Message):
    __slots__ = ["site_id", "study_id", "subject_id", "test", "until"]
    FROM_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    site_id: str
    study_id: str
    subject_id: str
    test: bool
    until: _timestamp_pb2.Timestamp
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., site_id: _Optional[str] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., test: bool = ..., **kwargs) -> None: ...

class ExportDossierResponse(_message.Message):
    __slots__ = ["content", "content_type", "records"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    records: int
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ..., records: _Optional[int] = ...) -> None: ...

class ExportRecordRequest(_message.Message):
    __slots__ = ["format", "record_id"]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    format: RecordFormat
    record_id: str
    def __init__(self, record_id: _Optional[str] = ..., format: _Optional[_Union[RecordFormat, str]] = ...) -> None: ...

class ExportRecordResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class ExportRecordsRequest(_message.Message):
    __slots__ = ["actor", "concern", "decided_from", "decided_until", "document_id", "document_version", "format", "kind", "site_id", "state", "study_id", "subject_id", "test"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CONCERN_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FROM_FIELD_NUMBER: _ClassVar[int]
    DECIDED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    actor: str
    concern: _record_pb2.RecordConcern
    decided_from: _timestamp_pb2.Timestamp
    decided_until: _timestamp_pb2.Timestamp
    document_id: str
    document_version: int
    format: RecordsFormat
    kind: _record_pb2.RecordKind
    site_id: str
    state: _record_pb2.RecordState
    study_id: str
    subject_id: str
    test: bool
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., state: _Optional[_Union[_record_pb2.RecordState, str]] = ..., decided_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., decided_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., test: bool = ..., kind: _Optional[_Union[_record_pb2.RecordKind, str]] = ..., actor: _Optional[str] = ..., format: _Optional[_Union[RecordsFormat, str]] = ..., concern: _Optional[_Union[_record_pb2.RecordConcern, str]] = ...) -> None: ...

class ExportRecordsResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class ExportSubjectRequest(_message.Message):
    __slots__ = ["subject_id"]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ...) -> None: ...

class ExportSubjectResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class ExportTrailRequest(_message.Message):
    __slots__ = ["actor", "format", "item", "kinds", "study_id", "subject_id", "until"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    actor: str
    format: TableFormat
    item: str
    kinds: _containers.RepeatedScalarFieldContainer[_trail_pb2.TrailKind]
    study_id: str
    subject_id: str
    until: _timestamp_pb2.Timestamp
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[_trail_pb2.TrailKind, str]]] = ..., actor: _Optional[str] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., item: _Optional[str] = ..., format: _Optional[_Union[TableFormat, str]] = ..., **kwargs) -> None: ...

class ExportTrailResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class GetConsentFindingsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetConsentFindingsResponse(_message.Message):
    __slots__ = ["problems"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, problems: _Optional[_Iterable[str]] = ...) -> None: ...

class GetEvidenceRequest(_message.Message):
    __slots__ = ["earlier_heads", "record_id"]
    EARLIER_HEADS_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    earlier_heads: _containers.RepeatedScalarFieldContainer[str]
    record_id: str
    def __init__(self, record_id: _Optional[str] = ..., earlier_heads: _Optional[_Iterable[str]] = ...) -> None: ...

class GetEvidenceResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class GetLegalHoldRequest(_message.Message):
    __slots__ = ["subject_id"]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ...) -> None: ...

class GetLegalHoldResponse(_message.Message):
    __slots__ = ["holds"]
    HOLDS_FIELD_NUMBER: _ClassVar[int]
    holds: _containers.RepeatedCompositeFieldContainer[SubjectHold]
    def __init__(self, holds: _Optional[_Iterable[_Union[SubjectHold, _Mapping]]] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ["record_id"]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: str
    def __init__(self, record_id: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class GetShownContentRequest(_message.Message):
    __slots__ = ["record_id"]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: str
    def __init__(self, record_id: _Optional[str] = ...) -> None: ...

class GetShownContentResponse(_message.Message):
    __slots__ = ["content", "content_type", "file", "hash", "salt"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    file: bytes
    hash: str
    salt: bytes
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ..., hash: _Optional[str] = ..., salt: _Optional[bytes] = ..., file: _Optional[bytes] = ...) -> None: ...

class GetSignatureImageRequest(_message.Message):
    __slots__ = ["record_id", "signature_id"]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: str
    signature_id: str
    def __init__(self, record_id: _Optional[str] = ..., signature_id: _Optional[str] = ...) -> None: ...

class GetSignatureImageResponse(_message.Message):
    __slots__ = ["content", "content_type", "hash", "salt"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    hash: str
    salt: bytes
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ..., hash: _Optional[str] = ..., salt: _Optional[bytes] = ...) -> None: ...

class GetSignedCopyRequest(_message.Message):
    __slots__ = ["before_correction", "participant_copy", "record_id", "with_evidence"]
    BEFORE_CORRECTION_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    WITH_EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    before_correction: int
    participant_copy: bool
    record_id: str
    with_evidence: bool
    def __init__(self, record_id: _Optional[str] = ..., with_evidence: bool = ..., participant_copy: bool = ..., before_correction: _Optional[int] = ...) -> None: ...

class GetSignedCopyResponse(_message.Message):
    __slots__ = ["content", "content_type", "copy", "participant_copy", "salt", "sealed"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    SEALED_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    copy: _record_pb2.SignedCopy
    participant_copy: bool
    salt: bytes
    sealed: bool
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ..., copy: _Optional[_Union[_record_pb2.SignedCopy, _Mapping]] = ..., sealed: bool = ..., salt: _Optional[bytes] = ..., participant_copy: bool = ...) -> None: ...

class GetSubjectHistoryRequest(_message.Message):
    __slots__ = ["study_id", "subject_id"]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., study_id: _Optional[str] = ...) -> None: ...

class GetSubjectHistoryResponse(_message.Message):
    __slots__ = ["records"]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_record_pb2.ConsentRecord]
    def __init__(self, records: _Optional[_Iterable[_Union[_record_pb2.ConsentRecord, _Mapping]]] = ...) -> None: ...

class GetVersionCountsRequest(_message.Message):
    __slots__ = ["document_id", "test", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    test: bool
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., test: bool = ...) -> None: ...

class GetVersionCountsResponse(_message.Message):
    __slots__ = ["counts"]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _record_pb2.VersionCounts
    def __init__(self, counts: _Optional[_Union[_record_pb2.VersionCounts, _Mapping]] = ...) -> None: ...

class IssueStatementRequest(_message.Message):
    __slots__ = ["lifetime", "purpose", "study_id", "subject_id"]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    lifetime: _duration_pb2.Duration
    purpose: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., purpose: _Optional[str] = ..., lifetime: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class IssueStatementResponse(_message.Message):
    __slots__ = ["answer", "public_key", "signature", "statement"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    answer: _check_pb2.ConsentAnswer
    public_key: bytes
    signature: bytes
    statement: bytes
    def __init__(self, answer: _Optional[_Union[_check_pb2.ConsentAnswer, _Mapping]] = ..., statement: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class ListConsentHeadsRequest(_message.Message):
    __slots__ = ["after_size", "page_size"]
    AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    after_size: int
    page_size: int
    def __init__(self, after_size: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListConsentHeadsResponse(_message.Message):
    __slots__ = ["heads", "next_after_size"]
    HEADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    heads: _containers.RepeatedScalarFieldContainer[str]
    next_after_size: int
    def __init__(self, heads: _Optional[_Iterable[str]] = ..., next_after_size: _Optional[int] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id", "subject_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ["decisions", "next_page_token"]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[_record_pb2.ConsentDecision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[_record_pb2.ConsentDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListDueConsentsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDueConsentsResponse(_message.Message):
    __slots__ = ["due_consents", "next_page_token"]
    DUE_CONSENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    due_consents: _containers.RepeatedCompositeFieldContainer[_record_pb2.DueConsent]
    next_page_token: str
    def __init__(self, due_consents: _Optional[_Iterable[_Union[_record_pb2.DueConsent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ["events", "next_page_token"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.ConsentEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_event_pb2.ConsentEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListRecordsRequest(_message.Message):
    __slots__ = ["concern", "decided_from", "decided_until", "document_id", "document_version", "kind", "page_size", "page_token", "site_id", "state", "study_id", "subject_id", "test"]
    CONCERN_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FROM_FIELD_NUMBER: _ClassVar[int]
    DECIDED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    concern: _record_pb2.RecordConcern
    decided_from: _timestamp_pb2.Timestamp
    decided_until: _timestamp_pb2.Timestamp
    document_id: str
    document_version: int
    kind: _record_pb2.RecordKind
    page_size: int
    page_token: str
    site_id: str
    state: _record_pb2.RecordState
    study_id: str
    subject_id: str
    test: bool
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., state: _Optional[_Union[_record_pb2.RecordState, str]] = ..., decided_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., decided_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., test: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., kind: _Optional[_Union[_record_pb2.RecordKind, str]] = ..., concern: _Optional[_Union[_record_pb2.RecordConcern, str]] = ...) -> None: ...

class ListRecordsResponse(_message.Message):
    __slots__ = ["next_page_token", "records"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    records: _containers.RepeatedCompositeFieldContainer[_record_pb2.ConsentRecord]
    def __init__(self, records: _Optional[_Iterable[_Union[_record_pb2.ConsentRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListTrailRequest(_message.Message):
    __slots__ = ["actor", "item", "kinds", "page_size", "page_token", "study_id", "subject_id", "until"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    actor: str
    item: str
    kinds: _containers.RepeatedScalarFieldContainer[_trail_pb2.TrailKind]
    page_size: int
    page_token: str
    study_id: str
    subject_id: str
    until: _timestamp_pb2.Timestamp
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[_trail_pb2.TrailKind, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., actor: _Optional[str] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., item: _Optional[str] = ..., **kwargs) -> None: ...

class ListTrailResponse(_message.Message):
    __slots__ = ["entries", "next_page_token"]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_trail_pb2.TrailEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_trail_pb2.TrailEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class NoteMergedSubjectRequest(_message.Message):
    __slots__ = ["ended_id", "staying_id"]
    ENDED_ID_FIELD_NUMBER: _ClassVar[int]
    STAYING_ID_FIELD_NUMBER: _ClassVar[int]
    ended_id: str
    staying_id: str
    def __init__(self, ended_id: _Optional[str] = ..., staying_id: _Optional[str] = ...) -> None: ...

class NoteMergedSubjectResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class PaperSigner(_message.Message):
    __slots__ = ["name", "signature_id"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    name: _text_pb2.PersonName
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ...) -> None: ...

class RefuseVoidingRequest(_message.Message):
    __slots__ = ["reason", "record_id"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    reason: str
    record_id: str
    def __init__(self, record_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RefuseVoidingResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class ResolveAttentionRequest(_message.Message):
    __slots__ = ["decision", "reason", "record_id"]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    decision: AttentionDecision
    reason: str
    record_id: str
    def __init__(self, record_id: _Optional[str] = ..., decision: _Optional[_Union[AttentionDecision, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ResolveAttentionResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class RetrySignedCopyRequest(_message.Message):
    __slots__ = ["record_id"]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: str
    def __init__(self, record_id: _Optional[str] = ...) -> None: ...

class RetrySignedCopyResponse(_message.Message):
    __slots__ = ["copy", "participant_copy"]
    COPY_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_COPY_FIELD_NUMBER: _ClassVar[int]
    copy: _record_pb2.SignedCopy
    participant_copy: _record_pb2.SignedCopy
    def __init__(self, copy: _Optional[_Union[_record_pb2.SignedCopy, _Mapping]] = ..., participant_copy: _Optional[_Union[_record_pb2.SignedCopy, _Mapping]] = ...) -> None: ...

class SealFileRequest(_message.Message):
    __slots__ = ["digest", "part"]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    digest: bytes
    part: SealFilePart
    def __init__(self, digest: _Optional[bytes] = ..., part: _Optional[_Union[SealFilePart, str]] = ...) -> None: ...

class SealFileResponse(_message.Message):
    __slots__ = ["answers", "certificates", "level", "lists", "problem", "sealed_by", "signature"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    LISTS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    SEALED_BY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedScalarFieldContainer[bytes]
    certificates: _containers.RepeatedScalarFieldContainer[bytes]
    level: str
    lists: _containers.RepeatedScalarFieldContainer[bytes]
    problem: str
    sealed_by: str
    signature: bytes
    def __init__(self, signature: _Optional[bytes] = ..., level: _Optional[str] = ..., sealed_by: _Optional[str] = ..., problem: _Optional[str] = ..., certificates: _Optional[_Iterable[bytes]] = ..., lists: _Optional[_Iterable[bytes]] = ..., answers: _Optional[_Iterable[bytes]] = ...) -> None: ...

class SetLegalHoldRequest(_message.Message):
    __slots__ = ["held", "reason", "subject_id"]
    HELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    held: bool
    reason: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., held: bool = ..., reason: _Optional[str] = ...) -> None: ...

class SetLegalHoldResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SubjectHold(_message.Message):
    __slots__ = ["reason", "set_at", "set_by"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SET_AT_FIELD_NUMBER: _ClassVar[int]
    SET_BY_FIELD_NUMBER: _ClassVar[int]
    reason: str
    set_at: _timestamp_pb2.Timestamp
    set_by: str
    def __init__(self, reason: _Optional[str] = ..., set_by: _Optional[str] = ..., set_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UpdateSharingRequest(_message.Message):
    __slots__ = ["device_time", "record_id", "sharing"]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    device_time: _session_pb2.DeviceTime
    record_id: str
    sharing: _screen_pb2.SharingChoice
    def __init__(self, record_id: _Optional[str] = ..., sharing: _Optional[_Union[_screen_pb2.SharingChoice, str]] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ...) -> None: ...

class UpdateSharingResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class VoidRecordRequest(_message.Message):
    __slots__ = ["reason", "record_id"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    reason: str
    record_id: str
    def __init__(self, record_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidRecordResponse(_message.Message):
    __slots__ = ["record"]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.ConsentRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.ConsentRecord, _Mapping]] = ...) -> None: ...

class WatchEventsRequest(_message.Message):
    __slots__ = ["page_token", "study_id"]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_token: _Optional[str] = ...) -> None: ...

class WatchEventsResponse(_message.Message):
    __slots__ = ["event"]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.ConsentEvent
    def __init__(self, event: _Optional[_Union[_event_pb2.ConsentEvent, _Mapping]] = ...) -> None: ...

class WithdrawConsentRequest(_message.Message):
    __slots__ = ["device_time", "purposes", "reason", "record_id", "study_id", "subject_id"]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    device_time: _session_pb2.DeviceTime
    purposes: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    record_id: str
    study_id: str
    subject_id: str
    def __init__(self, record_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., study_id: _Optional[str] = ..., purposes: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ..., device_time: _Optional[_Union[_session_pb2.DeviceTime, _Mapping]] = ...) -> None: ...

class WithdrawConsentResponse(_message.Message):
    __slots__ = ["records"]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_record_pb2.ConsentRecord]
    def __init__(self, records: _Optional[_Iterable[_Union[_record_pb2.ConsentRecord, _Mapping]]] = ...) -> None: ...

class AttentionDecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RecordFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RecordsFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class TableFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SealFilePart(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CopyComparison(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
