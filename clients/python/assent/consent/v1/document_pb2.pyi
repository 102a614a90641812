from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

AFTER_FAILED_ATTEMPT_END: AfterFailedAttempt
AFTER_FAILED_ATTEMPT_RESTUDY: AfterFailedAttempt
AFTER_FAILED_ATTEMPT_RETRY: AfterFailedAttempt
AFTER_FAILED_ATTEMPT_UNSPECIFIED: AfterFailedAttempt
ASSET_KIND_JPEG: AssetKind
ASSET_KIND_MP4: AssetKind
ASSET_KIND_PDF: AssetKind
ASSET_KIND_PNG: AssetKind
ASSET_KIND_SVG: AssetKind
ASSET_KIND_UNSPECIFIED: AssetKind
ASSET_KIND_WEBP: AssetKind
ATTEMPT_RENEWAL_INVESTIGATOR: AttemptRenewal
ATTEMPT_RENEWAL_NOBODY: AttemptRenewal
ATTEMPT_RENEWAL_UNSPECIFIED: AttemptRenewal
BOOLEAN_ANSWER_NO: BooleanAnswer
BOOLEAN_ANSWER_UNSPECIFIED: BooleanAnswer
BOOLEAN_ANSWER_YES: BooleanAnswer
CHANGE_KIND_ADDED: ChangeKind
CHANGE_KIND_CHANGED: ChangeKind
CHANGE_KIND_MOVED: ChangeKind
CHANGE_KIND_REMOVED: ChangeKind
CHANGE_KIND_UNSPECIFIED: ChangeKind
DECLINE_EFFECT_ENDS: DeclineEffect
DECLINE_EFFECT_KEEPS: DeclineEffect
DECLINE_EFFECT_UNSPECIFIED: DeclineEffect
DESCRIPTOR: _descriptor.FileDescriptor
IN_FORCE_FROM_LAST_SIGNATURE: InForceFrom
IN_FORCE_FROM_PARTICIPANT_SIGNATURE: InForceFrom
IN_FORCE_FROM_UNSPECIFIED: InForceFrom
QUESTION_KIND_BIRTH_DATE: QuestionKind
QUESTION_KIND_BOOLEAN: QuestionKind
QUESTION_KIND_DATE: QuestionKind
QUESTION_KIND_MULTIPLE: QuestionKind
QUESTION_KIND_NUMBER: QuestionKind
QUESTION_KIND_SCALE: QuestionKind
QUESTION_KIND_SINGLE: QuestionKind
QUESTION_KIND_TEXT: QuestionKind
QUESTION_KIND_TIME_OF_DAY: QuestionKind
QUESTION_KIND_UNSPECIFIED: QuestionKind
RECONSENT_POLICY_BY_DATE: ReconsentPolicy
RECONSENT_POLICY_NOTIFY: ReconsentPolicy
RECONSENT_POLICY_NO_ACTION: ReconsentPolicy
RECONSENT_POLICY_UNSPECIFIED: ReconsentPolicy
SECTION_TYPE_CUSTOM: SectionType
SECTION_TYPE_DATA_GATHERING: SectionType
SECTION_TYPE_DATA_USE: SectionType
SECTION_TYPE_ONLY_IN_DOCUMENT: SectionType
SECTION_TYPE_OVERVIEW: SectionType
SECTION_TYPE_PRIVACY: SectionType
SECTION_TYPE_STUDY_SURVEY: SectionType
SECTION_TYPE_STUDY_TASKS: SectionType
SECTION_TYPE_TIME_COMMITMENT: SectionType
SECTION_TYPE_UNSPECIFIED: SectionType
SECTION_TYPE_WITHDRAWING: SectionType
SIGNER_ROLE_GUARDIAN: SignerRole
SIGNER_ROLE_INVESTIGATOR: SignerRole
SIGNER_ROLE_PARTICIPANT: SignerRole
SIGNER_ROLE_UNSPECIFIED: SignerRole
SIGNER_ROLE_WITNESS: SignerRole
VERSION_STATE_AWAITING_APPROVAL: VersionState
VERSION_STATE_DISCARDED: VersionState
VERSION_STATE_DRAFT: VersionState
VERSION_STATE_PUBLISHED: VersionState
VERSION_STATE_RETIRED: VersionState
VERSION_STATE_STOPPED: VersionState
VERSION_STATE_UNSPECIFIED: VersionState

class AgePolicy(_message.Message):
    __slots__ = ["assent_age", "majority_age", "minimum_age"]
    ASSENT_AGE_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_AGE_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_AGE_FIELD_NUMBER: _ClassVar[int]
    assent_age: int
    majority_age: int
    minimum_age: int
    def __init__(self, minimum_age: _Optional[int] = ..., majority_age: _Optional[int] = ..., assent_age: _Optional[int] = ...) -> None: ...

class ChoiceText(_message.Message):
    __slots__ = ["choice_id", "text"]
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    choice_id: str
    text: str
    def __init__(self, choice_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ComprehensionTest(_message.Message):
    __slots__ = ["after_failed_attempt", "attempts", "pass_mark", "questions", "renewed_after", "renewed_by"]
    AFTER_FAILED_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    PASS_MARK_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    RENEWED_AFTER_FIELD_NUMBER: _ClassVar[int]
    RENEWED_BY_FIELD_NUMBER: _ClassVar[int]
    after_failed_attempt: AfterFailedAttempt
    attempts: int
    pass_mark: int
    questions: _containers.RepeatedCompositeFieldContainer[QuestionDefinition]
    renewed_after: _duration_pb2.Duration
    renewed_by: AttemptRenewal
    def __init__(self, questions: _Optional[_Iterable[_Union[QuestionDefinition, _Mapping]]] = ..., pass_mark: _Optional[int] = ..., attempts: _Optional[int] = ..., after_failed_attempt: _Optional[_Union[AfterFailedAttempt, str]] = ..., renewed_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., renewed_by: _Optional[_Union[AttemptRenewal, str]] = ...) -> None: ...

class ConsentAsset(_message.Message):
    __slots__ = ["data", "hash", "kind"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    hash: str
    kind: AssetKind
    def __init__(self, hash: _Optional[str] = ..., kind: _Optional[_Union[AssetKind, str]] = ..., data: _Optional[bytes] = ...) -> None: ...

class ConsentDocument(_message.Message):
    __slots__ = ["created_at", "document_id", "draft_version", "name", "pending_approvals", "published_version", "study_id"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DRAFT_VERSION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PENDING_APPROVALS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_VERSION_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    document_id: str
    draft_version: int
    name: str
    pending_approvals: _containers.RepeatedCompositeFieldContainer[PendingApproval]
    published_version: int
    study_id: str
    def __init__(self, document_id: _Optional[str] = ..., study_id: _Optional[str] = ..., name: _Optional[str] = ..., published_version: _Optional[int] = ..., draft_version: _Optional[int] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., pending_approvals: _Optional[_Iterable[_Union[PendingApproval, _Mapping]]] = ...) -> None: ...

class ConsentParty(_message.Message):
    __slots__ = ["address", "contact", "email", "name", "phone", "url"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CONTACT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    address: str
    contact: str
    email: str
    name: str
    phone: str
    url: str
    def __init__(self, name: _Optional[str] = ..., address: _Optional[str] = ..., email: _Optional[str] = ..., phone: _Optional[str] = ..., url: _Optional[str] = ..., contact: _Optional[str] = ...) -> None: ...

class ConsentPurpose(_message.Message):
    __slots__ = ["code", "optional"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    code: str
    optional: bool
    def __init__(self, code: _Optional[str] = ..., optional: bool = ...) -> None: ...

class DocumentChange(_message.Message):
    __slots__ = ["after", "before", "field", "kind"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    after: str
    before: str
    field: str
    kind: ChangeKind
    def __init__(self, kind: _Optional[_Union[ChangeKind, str]] = ..., field: _Optional[str] = ..., before: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class DocumentContent(_message.Message):
    __slots__ = ["default_locale", "settings", "texts"]
    DEFAULT_LOCALE_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    default_locale: str
    settings: DocumentSettings
    texts: _containers.RepeatedCompositeFieldContainer[DocumentText]
    def __init__(self, default_locale: _Optional[str] = ..., settings: _Optional[_Union[DocumentSettings, _Mapping]] = ..., texts: _Optional[_Iterable[_Union[DocumentText, _Mapping]]] = ...) -> None: ...

class DocumentFile(_message.Message):
    __slots__ = ["assets", "content", "document_id", "format", "name", "version", "version_hash"]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_HASH_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedCompositeFieldContainer[ConsentAsset]
    content: DocumentContent
    document_id: str
    format: int
    name: str
    version: int
    version_hash: str
    def __init__(self, format: _Optional[int] = ..., document_id: _Optional[str] = ..., name: _Optional[str] = ..., content: _Optional[_Union[DocumentContent, _Mapping]] = ..., assets: _Optional[_Iterable[_Union[ConsentAsset, _Mapping]]] = ..., version: _Optional[int] = ..., version_hash: _Optional[str] = ...) -> None: ...

class DocumentSection(_message.Message):
    __slots__ = ["animation_asset", "id", "image_asset", "omit_from_document", "still_asset", "type"]
    ANIMATION_ASSET_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IMAGE_ASSET_FIELD_NUMBER: _ClassVar[int]
    OMIT_FROM_DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    STILL_ASSET_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    animation_asset: str
    id: str
    image_asset: str
    omit_from_document: bool
    still_asset: str
    type: SectionType
    def __init__(self, id: _Optional[str] = ..., type: _Optional[_Union[SectionType, str]] = ..., omit_from_document: bool = ..., image_asset: _Optional[str] = ..., animation_asset: _Optional[str] = ..., still_asset: _Optional[str] = ...) -> None: ...

class DocumentSettings(_message.Message):
    __slots__ = ["age", "comprehension", "controller", "decline_effect", "ethics", "in_force_from", "names_on_pages", "offers_sharing", "purposes", "recap", "reconsent", "reconsent_by", "sections", "signatures", "signatures_within_days", "signers_may_coincide", "validity", "withdrawal_url", "without_scroll_gate"]
    AGE_FIELD_NUMBER: _ClassVar[int]
    COMPREHENSION_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    DECLINE_EFFECT_FIELD_NUMBER: _ClassVar[int]
    ETHICS_FIELD_NUMBER: _ClassVar[int]
    IN_FORCE_FROM_FIELD_NUMBER: _ClassVar[int]
    NAMES_ON_PAGES_FIELD_NUMBER: _ClassVar[int]
    OFFERS_SHARING_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    RECAP_FIELD_NUMBER: _ClassVar[int]
    RECONSENT_BY_FIELD_NUMBER: _ClassVar[int]
    RECONSENT_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_WITHIN_DAYS_FIELD_NUMBER: _ClassVar[int]
    SIGNERS_MAY_COINCIDE_FIELD_NUMBER: _ClassVar[int]
    VALIDITY_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWAL_URL_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_SCROLL_GATE_FIELD_NUMBER: _ClassVar[int]
    age: AgePolicy
    comprehension: ComprehensionTest
    controller: ConsentParty
    decline_effect: DeclineEffect
    ethics: EthicsApproval
    in_force_from: InForceFrom
    names_on_pages: bool
    offers_sharing: bool
    purposes: _containers.RepeatedCompositeFieldContainer[ConsentPurpose]
    recap: bool
    reconsent: ReconsentPolicy
    reconsent_by: _timestamp_pb2.Timestamp
    sections: _containers.RepeatedCompositeFieldContainer[DocumentSection]
    signatures: _containers.RepeatedCompositeFieldContainer[SignatureDefinition]
    signatures_within_days: int
    signers_may_coincide: bool
    validity: ValidityPeriod
    withdrawal_url: str
    without_scroll_gate: bool
    def __init__(self, sections: _Optional[_Iterable[_Union[DocumentSection, _Mapping]]] = ..., signatures: _Optional[_Iterable[_Union[SignatureDefinition, _Mapping]]] = ..., purposes: _Optional[_Iterable[_Union[ConsentPurpose, _Mapping]]] = ..., comprehension: _Optional[_Union[ComprehensionTest, _Mapping]] = ..., age: _Optional[_Union[AgePolicy, _Mapping]] = ..., ethics: _Optional[_Union[EthicsApproval, _Mapping]] = ..., validity: _Optional[_Union[ValidityPeriod, _Mapping]] = ..., reconsent: _Optional[_Union[ReconsentPolicy, str]] = ..., reconsent_by: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., in_force_from: _Optional[_Union[InForceFrom, str]] = ..., without_scroll_gate: bool = ..., offers_sharing: bool = ..., signers_may_coincide: bool = ..., recap: bool = ..., decline_effect: _Optional[_Union[DeclineEffect, str]] = ..., names_on_pages: bool = ..., controller: _Optional[_Union[ConsentParty, _Mapping]] = ..., withdrawal_url: _Optional[str] = ..., signatures_within_days: _Optional[int] = ...) -> None: ...

class DocumentText(_message.Message):
    __slots__ = ["failed_text", "file", "guardian_authority", "html_review_content", "locale", "purposes", "questions", "reason_for_consent", "review_text", "rights", "sections", "sharing", "signature_page_content", "signature_page_title", "signatures", "title", "withdrawal"]
    FAILED_TEXT_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    GUARDIAN_AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    HTML_REVIEW_CONTENT_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    REASON_FOR_CONSENT_FIELD_NUMBER: _ClassVar[int]
    REVIEW_TEXT_FIELD_NUMBER: _ClassVar[int]
    RIGHTS_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_PAGE_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_PAGE_TITLE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWAL_FIELD_NUMBER: _ClassVar[int]
    failed_text: str
    file: PagedFile
    guardian_authority: str
    html_review_content: str
    locale: str
    purposes: _containers.RepeatedCompositeFieldContainer[PurposeText]
    questions: _containers.RepeatedCompositeFieldContainer[QuestionText]
    reason_for_consent: str
    review_text: str
    rights: _containers.RepeatedScalarFieldContainer[str]
    sections: _containers.RepeatedCompositeFieldContainer[SectionText]
    sharing: SharingText
    signature_page_content: str
    signature_page_title: str
    signatures: _containers.RepeatedCompositeFieldContainer[SignatureText]
    title: str
    withdrawal: str
    def __init__(self, locale: _Optional[str] = ..., title: _Optional[str] = ..., sections: _Optional[_Iterable[_Union[SectionText, _Mapping]]] = ..., signatures: _Optional[_Iterable[_Union[SignatureText, _Mapping]]] = ..., questions: _Optional[_Iterable[_Union[QuestionText, _Mapping]]] = ..., purposes: _Optional[_Iterable[_Union[PurposeText, _Mapping]]] = ..., html_review_content: _Optional[str] = ..., review_text: _Optional[str] = ..., reason_for_consent: _Optional[str] = ..., signature_page_title: _Optional[str] = ..., signature_page_content: _Optional[str] = ..., sharing: _Optional[_Union[SharingText, _Mapping]] = ..., guardian_authority: _Optional[str] = ..., failed_text: _Optional[str] = ..., rights: _Optional[_Iterable[str]] = ..., withdrawal: _Optional[str] = ..., file: _Optional[_Union[PagedFile, _Mapping]] = ...) -> None: ...

class DocumentVersion(_message.Message):
    __slots__ = ["approved_by", "content", "document_id", "ended_at", "ended_reason", "locale_hashes", "pending_translations", "published_at", "published_by", "revision", "state", "version", "version_hash"]
    APPROVED_BY_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    ENDED_REASON_FIELD_NUMBER: _ClassVar[int]
    LOCALE_HASHES_FIELD_NUMBER: _ClassVar[int]
    PENDING_TRANSLATIONS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_BY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_HASH_FIELD_NUMBER: _ClassVar[int]
    approved_by: str
    content: DocumentContent
    document_id: str
    ended_at: _timestamp_pb2.Timestamp
    ended_reason: str
    locale_hashes: _containers.RepeatedCompositeFieldContainer[LocaleHash]
    pending_translations: _containers.RepeatedCompositeFieldContainer[PendingTranslation]
    published_at: _timestamp_pb2.Timestamp
    published_by: str
    revision: int
    state: VersionState
    version: int
    version_hash: str
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[VersionState, str]] = ..., revision: _Optional[int] = ..., content: _Optional[_Union[DocumentContent, _Mapping]] = ..., version_hash: _Optional[str] = ..., locale_hashes: _Optional[_Iterable[_Union[LocaleHash, _Mapping]]] = ..., published_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., published_by: _Optional[str] = ..., approved_by: _Optional[str] = ..., ended_reason: _Optional[str] = ..., pending_translations: _Optional[_Iterable[_Union[PendingTranslation, _Mapping]]] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EthicsApproval(_message.Message):
    __slots__ = ["committee", "number", "valid_from", "valid_until"]
    COMMITTEE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    committee: str
    number: str
    valid_from: _timestamp_pb2.Timestamp
    valid_until: _timestamp_pb2.Timestamp
    def __init__(self, number: _Optional[str] = ..., committee: _Optional[str] = ..., valid_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., valid_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FilePage(_message.Message):
    __slots__ = ["height", "image_asset", "text", "width"]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_ASSET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    height: int
    image_asset: str
    text: str
    width: int
    def __init__(self, image_asset: _Optional[str] = ..., text: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...

class LocaleHash(_message.Message):
    __slots__ = ["added_by", "added_later", "approved_by", "hash", "locale", "published_at"]
    ADDED_BY_FIELD_NUMBER: _ClassVar[int]
    ADDED_LATER_FIELD_NUMBER: _ClassVar[int]
    APPROVED_BY_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    added_by: str
    added_later: bool
    approved_by: str
    hash: str
    locale: str
    published_at: _timestamp_pb2.Timestamp
    def __init__(self, locale: _Optional[str] = ..., hash: _Optional[str] = ..., published_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., added_later: bool = ..., added_by: _Optional[str] = ..., approved_by: _Optional[str] = ...) -> None: ...

class NumberRule(_message.Message):
    __slots__ = ["decimals", "maximum", "minimum"]
    DECIMALS_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    decimals: int
    maximum: NumberValue
    minimum: NumberValue
    def __init__(self, minimum: _Optional[_Union[NumberValue, _Mapping]] = ..., maximum: _Optional[_Union[NumberValue, _Mapping]] = ..., decimals: _Optional[int] = ...) -> None: ...

class NumberValue(_message.Message):
    __slots__ = ["value"]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: float
    def __init__(self, value: _Optional[float] = ...) -> None: ...

class PagedFile(_message.Message):
    __slots__ = ["asset", "page_texts", "pages"]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    PAGE_TEXTS_FIELD_NUMBER: _ClassVar[int]
    asset: str
    page_texts: _containers.RepeatedScalarFieldContainer[str]
    pages: _containers.RepeatedCompositeFieldContainer[FilePage]
    def __init__(self, asset: _Optional[str] = ..., pages: _Optional[_Iterable[_Union[FilePage, _Mapping]]] = ..., page_texts: _Optional[_Iterable[str]] = ...) -> None: ...

class PendingApproval(_message.Message):
    __slots__ = ["asked_by", "locale", "version"]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    asked_by: str
    locale: str
    version: int
    def __init__(self, version: _Optional[int] = ..., locale: _Optional[str] = ..., asked_by: _Optional[str] = ...) -> None: ...

class PendingTranslation(_message.Message):
    __slots__ = ["asked_at", "asked_by", "hash", "text"]
    ASKED_AT_FIELD_NUMBER: _ClassVar[int]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    asked_at: _timestamp_pb2.Timestamp
    asked_by: str
    hash: str
    text: DocumentText
    def __init__(self, text: _Optional[_Union[DocumentText, _Mapping]] = ..., hash: _Optional[str] = ..., asked_by: _Optional[str] = ..., asked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PurposeText(_message.Message):
    __slots__ = ["data_categories", "description", "purpose_code", "recipients", "retention", "title"]
    DATA_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_CODE_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    RETENTION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    data_categories: _containers.RepeatedScalarFieldContainer[str]
    description: str
    purpose_code: str
    recipients: _containers.RepeatedScalarFieldContainer[str]
    retention: str
    title: str
    def __init__(self, purpose_code: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., data_categories: _Optional[_Iterable[str]] = ..., recipients: _Optional[_Iterable[str]] = ..., retention: _Optional[str] = ...) -> None: ...

class QuestionChoice(_message.Message):
    __slots__ = ["correct", "id"]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    correct: bool
    id: str
    def __init__(self, id: _Optional[str] = ..., correct: bool = ...) -> None: ...

class QuestionDefinition(_message.Message):
    __slots__ = ["accepted_answers", "choices", "id", "kind", "number", "on_copy", "optional", "right_answer", "scale"]
    ACCEPTED_ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ON_COPY_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    RIGHT_ANSWER_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    accepted_answers: _containers.RepeatedScalarFieldContainer[str]
    choices: _containers.RepeatedCompositeFieldContainer[QuestionChoice]
    id: str
    kind: QuestionKind
    number: NumberRule
    on_copy: bool
    optional: bool
    right_answer: BooleanAnswer
    scale: ScaleRule
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[QuestionKind, str]] = ..., choices: _Optional[_Iterable[_Union[QuestionChoice, _Mapping]]] = ..., accepted_answers: _Optional[_Iterable[str]] = ..., optional: bool = ..., number: _Optional[_Union[NumberRule, _Mapping]] = ..., scale: _Optional[_Union[ScaleRule, _Mapping]] = ..., right_answer: _Optional[_Union[BooleanAnswer, str]] = ..., on_copy: bool = ...) -> None: ...

class QuestionText(_message.Message):
    __slots__ = ["choices", "detail", "prompt", "question_id"]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    choices: _containers.RepeatedCompositeFieldContainer[ChoiceText]
    detail: str
    prompt: str
    question_id: str
    def __init__(self, question_id: _Optional[str] = ..., prompt: _Optional[str] = ..., detail: _Optional[str] = ..., choices: _Optional[_Iterable[_Union[ChoiceText, _Mapping]]] = ...) -> None: ...

class ScaleRule(_message.Message):
    __slots__ = ["maximum", "minimum", "step"]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    maximum: int
    minimum: int
    step: int
    def __init__(self, minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., step: _Optional[int] = ...) -> None: ...

class SectionText(_message.Message):
    __slots__ = ["animation_caption", "content", "formal_title", "html_content", "image_alt", "learn_more_title", "markdown_content", "section_id", "summary", "title"]
    ANIMATION_CAPTION_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    FORMAL_TITLE_FIELD_NUMBER: _ClassVar[int]
    HTML_CONTENT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_ALT_FIELD_NUMBER: _ClassVar[int]
    LEARN_MORE_TITLE_FIELD_NUMBER: _ClassVar[int]
    MARKDOWN_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    animation_caption: str
    content: str
    formal_title: str
    html_content: str
    image_alt: str
    learn_more_title: str
    markdown_content: str
    section_id: str
    summary: str
    title: str
    def __init__(self, section_id: _Optional[str] = ..., title: _Optional[str] = ..., formal_title: _Optional[str] = ..., summary: _Optional[str] = ..., content: _Optional[str] = ..., html_content: _Optional[str] = ..., markdown_content: _Optional[str] = ..., learn_more_title: _Optional[str] = ..., image_alt: _Optional[str] = ..., animation_caption: _Optional[str] = ...) -> None: ...

class SharingText(_message.Message):
    __slots__ = ["investigator_long", "investigator_short", "learn_more_html"]
    INVESTIGATOR_LONG_FIELD_NUMBER: _ClassVar[int]
    INVESTIGATOR_SHORT_FIELD_NUMBER: _ClassVar[int]
    LEARN_MORE_HTML_FIELD_NUMBER: _ClassVar[int]
    investigator_long: str
    investigator_short: str
    learn_more_html: str
    def __init__(self, investigator_short: _Optional[str] = ..., investigator_long: _Optional[str] = ..., learn_more_html: _Optional[str] = ...) -> None: ...

class SignatureDefinition(_message.Message):
    __slots__ = ["allows_reused", "allows_uploaded", "id", "initials", "order", "refuses_typed", "requires_image", "requires_name", "requires_reauthentication", "role"]
    ALLOWS_REUSED_FIELD_NUMBER: _ClassVar[int]
    ALLOWS_UPLOADED_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INITIALS_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    REFUSES_TYPED_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_IMAGE_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_NAME_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_REAUTHENTICATION_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    allows_reused: bool
    allows_uploaded: bool
    id: str
    initials: bool
    order: int
    refuses_typed: bool
    requires_image: bool
    requires_name: bool
    requires_reauthentication: bool
    role: SignerRole
    def __init__(self, id: _Optional[str] = ..., role: _Optional[_Union[SignerRole, str]] = ..., order: _Optional[int] = ..., requires_name: bool = ..., requires_image: bool = ..., refuses_typed: bool = ..., requires_reauthentication: bool = ..., allows_uploaded: bool = ..., allows_reused: bool = ..., initials: bool = ...) -> None: ...

class SignatureOrigin(_message.Message):
    __slots__ = ["drawn_on", "initials", "reused_from", "reused_revision", "uploaded"]
    DRAWN_ON_FIELD_NUMBER: _ClassVar[int]
    INITIALS_FIELD_NUMBER: _ClassVar[int]
    REUSED_FROM_FIELD_NUMBER: _ClassVar[int]
    REUSED_REVISION_FIELD_NUMBER: _ClassVar[int]
    UPLOADED_FIELD_NUMBER: _ClassVar[int]
    drawn_on: str
    initials: bool
    reused_from: str
    reused_revision: int
    uploaded: bool
    def __init__(self, uploaded: bool = ..., reused_from: _Optional[str] = ..., reused_revision: _Optional[int] = ..., initials: bool = ..., drawn_on: _Optional[str] = ...) -> None: ...

class SignatureText(_message.Message):
    __slots__ = ["meaning", "signature_id", "title"]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    meaning: str
    signature_id: str
    title: str
    def __init__(self, signature_id: _Optional[str] = ..., title: _Optional[str] = ..., meaning: _Optional[str] = ...) -> None: ...

class ValidityPeriod(_message.Message):
    __slots__ = ["lasts_days", "offered_from", "offered_until"]
    LASTS_DAYS_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FROM_FIELD_NUMBER: _ClassVar[int]
    OFFERED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    lasts_days: int
    offered_from: _timestamp_pb2.Timestamp
    offered_until: _timestamp_pb2.Timestamp
    def __init__(self, offered_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., offered_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., lasts_days: _Optional[int] = ...) -> None: ...

class SectionType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SignerRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class QuestionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BooleanAnswer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AfterFailedAttempt(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AttemptRenewal(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ReconsentPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DeclineEffect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class InForceFrom(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VersionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AssetKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ChangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
