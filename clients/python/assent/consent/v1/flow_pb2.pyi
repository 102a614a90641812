from assent.consent.v1 import document_pb2 as _document_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FORM_ARRANGEMENT_SEQUENTIAL: FormArrangement
FORM_ARRANGEMENT_SINGLE: FormArrangement
FORM_ARRANGEMENT_UNSPECIFIED: FormArrangement
FORM_CONDITION_MANDATORY: FormCondition
FORM_CONDITION_OPTIONAL: FormCondition
FORM_CONDITION_UNSPECIFIED: FormCondition

class AgeCondition(_message.Message):
    __slots__ = ["below_age", "from_age"]
    BELOW_AGE_FIELD_NUMBER: _ClassVar[int]
    FROM_AGE_FIELD_NUMBER: _ClassVar[int]
    below_age: int
    from_age: int
    def __init__(self, from_age: _Optional[int] = ..., below_age: _Optional[int] = ...) -> None: ...

class AnswerCondition(_message.Message):
    __slots__ = ["at_least", "at_most", "boolean", "choice_ids", "negated", "question_id", "step_id"]
    AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    AT_MOST_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    CHOICE_IDS_FIELD_NUMBER: _ClassVar[int]
    NEGATED_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    at_least: _document_pb2.NumberValue
    at_most: _document_pb2.NumberValue
    boolean: _document_pb2.BooleanAnswer
    choice_ids: _containers.RepeatedScalarFieldContainer[str]
    negated: bool
    question_id: str
    step_id: str
    def __init__(self, step_id: _Optional[str] = ..., question_id: _Optional[str] = ..., choice_ids: _Optional[_Iterable[str]] = ..., boolean: _Optional[_Union[_document_pb2.BooleanAnswer, str]] = ..., at_least: _Optional[_Union[_document_pb2.NumberValue, _Mapping]] = ..., at_most: _Optional[_Union[_document_pb2.NumberValue, _Mapping]] = ..., negated: bool = ...) -> None: ...

class CompletionStep(_message.Message):
    __slots__ = ["contact", "declined_text", "text", "title"]
    CONTACT_FIELD_NUMBER: _ClassVar[int]
    DECLINED_TEXT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    contact: _text_pb2.LocalizedText
    declined_text: _text_pb2.LocalizedText
    text: _text_pb2.LocalizedText
    title: _text_pb2.LocalizedText
    def __init__(self, title: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., text: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., declined_text: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., contact: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class ConsentFlow(_message.Message):
    __slots__ = ["draft_version", "flow_id", "name", "pending_approvals", "published_version", "study_id"]
    DRAFT_VERSION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PENDING_APPROVALS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_VERSION_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    draft_version: int
    flow_id: str
    name: str
    pending_approvals: _containers.RepeatedCompositeFieldContainer[_document_pb2.PendingApproval]
    published_version: int
    study_id: str
    def __init__(self, flow_id: _Optional[str] = ..., study_id: _Optional[str] = ..., name: _Optional[str] = ..., published_version: _Optional[int] = ..., draft_version: _Optional[int] = ..., pending_approvals: _Optional[_Iterable[_Union[_document_pb2.PendingApproval, _Mapping]]] = ...) -> None: ...

class FlowChoiceText(_message.Message):
    __slots__ = ["choice_id", "text"]
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    choice_id: str
    text: _text_pb2.LocalizedText
    def __init__(self, choice_id: _Optional[str] = ..., text: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class FlowDefinition(_message.Message):
    __slots__ = ["default_locale", "documents", "session_lifetime", "steps"]
    DEFAULT_LOCALE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    SESSION_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    default_locale: str
    documents: _containers.RepeatedCompositeFieldContainer[FlowDocument]
    session_lifetime: _duration_pb2.Duration
    steps: _containers.RepeatedCompositeFieldContainer[FlowStep]
    def __init__(self, default_locale: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[FlowStep, _Mapping]]] = ..., documents: _Optional[_Iterable[_Union[FlowDocument, _Mapping]]] = ..., session_lifetime: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class FlowDocument(_message.Message):
    __slots__ = ["document_id", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class FlowQuestion(_message.Message):
    __slots__ = ["choices", "definition", "detail", "maximum_label", "minimum_label", "prompt", "unit"]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_LABEL_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_LABEL_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    choices: _containers.RepeatedCompositeFieldContainer[FlowChoiceText]
    definition: _document_pb2.QuestionDefinition
    detail: _text_pb2.LocalizedText
    maximum_label: _text_pb2.LocalizedText
    minimum_label: _text_pb2.LocalizedText
    prompt: _text_pb2.LocalizedText
    unit: _text_pb2.LocalizedText
    def __init__(self, definition: _Optional[_Union[_document_pb2.QuestionDefinition, _Mapping]] = ..., prompt: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., detail: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., choices: _Optional[_Iterable[_Union[FlowChoiceText, _Mapping]]] = ..., unit: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., minimum_label: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., maximum_label: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class FlowStep(_message.Message):
    __slots__ = ["completion", "condition", "form", "id", "instruction", "question", "review", "sharing", "visual"]
    COMPLETION_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    REVIEW_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    VISUAL_FIELD_NUMBER: _ClassVar[int]
    completion: CompletionStep
    condition: StepCondition
    form: FormStep
    id: str
    instruction: InstructionStep
    question: QuestionStep
    review: ReviewStep
    sharing: SharingStep
    visual: VisualStep
    def __init__(self, id: _Optional[str] = ..., condition: _Optional[_Union[StepCondition, _Mapping]] = ..., form: _Optional[_Union[FormStep, _Mapping]] = ..., instruction: _Optional[_Union[InstructionStep, _Mapping]] = ..., question: _Optional[_Union[QuestionStep, _Mapping]] = ..., visual: _Optional[_Union[VisualStep, _Mapping]] = ..., sharing: _Optional[_Union[SharingStep, _Mapping]] = ..., review: _Optional[_Union[ReviewStep, _Mapping]] = ..., completion: _Optional[_Union[CompletionStep, _Mapping]] = ...) -> None: ...

class FlowVersion(_message.Message):
    __slots__ = ["approved_by", "definition", "ended_at", "ended_reason", "flow_id", "published_at", "published_by", "revision", "state", "version", "version_hash"]
    APPROVED_BY_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    ENDED_REASON_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_BY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_HASH_FIELD_NUMBER: _ClassVar[int]
    approved_by: str
    definition: FlowDefinition
    ended_at: _timestamp_pb2.Timestamp
    ended_reason: str
    flow_id: str
    published_at: _timestamp_pb2.Timestamp
    published_by: str
    revision: int
    state: _document_pb2.VersionState
    version: int
    version_hash: str
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[_document_pb2.VersionState, str]] = ..., revision: _Optional[int] = ..., definition: _Optional[_Union[FlowDefinition, _Mapping]] = ..., version_hash: _Optional[str] = ..., published_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., published_by: _Optional[str] = ..., approved_by: _Optional[str] = ..., ended_reason: _Optional[str] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FormPage(_message.Message):
    __slots__ = ["body", "learn_more_html", "learn_more_title", "title"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    LEARN_MORE_HTML_FIELD_NUMBER: _ClassVar[int]
    LEARN_MORE_TITLE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    body: _text_pb2.LocalizedText
    learn_more_html: _text_pb2.LocalizedText
    learn_more_title: _text_pb2.LocalizedText
    title: _text_pb2.LocalizedText
    def __init__(self, title: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., body: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., learn_more_html: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., learn_more_title: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class FormStep(_message.Message):
    __slots__ = ["arrangement", "condition", "pages", "purpose"]
    ARRANGEMENT_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    arrangement: FormArrangement
    condition: FormCondition
    pages: _containers.RepeatedCompositeFieldContainer[FormPage]
    purpose: str
    def __init__(self, arrangement: _Optional[_Union[FormArrangement, str]] = ..., condition: _Optional[_Union[FormCondition, str]] = ..., pages: _Optional[_Iterable[_Union[FormPage, _Mapping]]] = ..., purpose: _Optional[str] = ...) -> None: ...

class InstructionStep(_message.Message):
    __slots__ = ["learn_more_html", "text", "title"]
    LEARN_MORE_HTML_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    learn_more_html: _text_pb2.LocalizedText
    text: _text_pb2.LocalizedText
    title: _text_pb2.LocalizedText
    def __init__(self, title: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., text: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ..., learn_more_html: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class QuestionStep(_message.Message):
    __slots__ = ["document_id", "questions", "title", "together"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    questions: _containers.RepeatedCompositeFieldContainer[FlowQuestion]
    title: _text_pb2.LocalizedText
    together: bool
    def __init__(self, document_id: _Optional[str] = ..., questions: _Optional[_Iterable[_Union[FlowQuestion, _Mapping]]] = ..., together: bool = ..., title: _Optional[_Union[_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class ReviewStep(_message.Message):
    __slots__ = ["document_id", "optional"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    optional: bool
    def __init__(self, document_id: _Optional[str] = ..., optional: bool = ...) -> None: ...

class SharingStep(_message.Message):
    __slots__ = ["document_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    def __init__(self, document_id: _Optional[str] = ...) -> None: ...

class StepCondition(_message.Message):
    __slots__ = ["age", "answers", "site_ids"]
    AGE_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    SITE_IDS_FIELD_NUMBER: _ClassVar[int]
    age: AgeCondition
    answers: _containers.RepeatedCompositeFieldContainer[AnswerCondition]
    site_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, answers: _Optional[_Iterable[_Union[AnswerCondition, _Mapping]]] = ..., age: _Optional[_Union[AgeCondition, _Mapping]] = ..., site_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class VisualStep(_message.Message):
    __slots__ = ["document_id", "section_ids"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    SECTION_IDS_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    section_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, document_id: _Optional[str] = ..., section_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FormArrangement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FormCondition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
