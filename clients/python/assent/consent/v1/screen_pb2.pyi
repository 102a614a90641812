from assent.consent.v1 import document_pb2 as _document_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ACTION_KIND_AGREE: ActionKind
ACTION_KIND_ALLOW: ActionKind
ACTION_KIND_ANSWER: ActionKind
ACTION_KIND_BACK: ActionKind
ACTION_KIND_CANCEL: ActionKind
ACTION_KIND_CONFIRM: ActionKind
ACTION_KIND_DENY: ActionKind
ACTION_KIND_DISAGREE: ActionKind
ACTION_KIND_DISMISS: ActionKind
ACTION_KIND_DONE: ActionKind
ACTION_KIND_ENTER_NAME: ActionKind
ACTION_KIND_NEXT: ActionKind
ACTION_KIND_NOT_NOW: ActionKind
ACTION_KIND_SCROLLED_TO_END: ActionKind
ACTION_KIND_SHARE: ActionKind
ACTION_KIND_SIGN: ActionKind
ACTION_KIND_UNSPECIFIED: ActionKind
ALERT_KIND_CONFIRM_AGREEMENT: AlertKind
ALERT_KIND_CONSENT_NEEDED: AlertKind
ALERT_KIND_EARLIER_CONSENT: AlertKind
ALERT_KIND_QUIT: AlertKind
ALERT_KIND_UNSPECIFIED: AlertKind
DESCRIPTOR: _descriptor.FileDescriptor
SCREEN_KIND_COMPLETION: ScreenKind
SCREEN_KIND_FORM: ScreenKind
SCREEN_KIND_INSTRUCTION: ScreenKind
SCREEN_KIND_NAME: ScreenKind
SCREEN_KIND_PAGE: ScreenKind
SCREEN_KIND_PLAIN: ScreenKind
SCREEN_KIND_QUESTIONS: ScreenKind
SCREEN_KIND_RECAP: ScreenKind
SCREEN_KIND_REVIEW: ScreenKind
SCREEN_KIND_SHARING: ScreenKind
SCREEN_KIND_SIGNATURE: ScreenKind
SCREEN_KIND_UNSPECIFIED: ScreenKind
SCREEN_KIND_VISUAL: ScreenKind
SCREEN_TRANSITION_NEXT_MODAL: ScreenTransition
SCREEN_TRANSITION_NONE: ScreenTransition
SCREEN_TRANSITION_POP: ScreenTransition
SCREEN_TRANSITION_PUSH: ScreenTransition
SCREEN_TRANSITION_SECTION: ScreenTransition
SCREEN_TRANSITION_SLIDE_DOWN: ScreenTransition
SCREEN_TRANSITION_SLIDE_UP: ScreenTransition
SCREEN_TRANSITION_UNSPECIFIED: ScreenTransition
SCREEN_WAY_KIND_CLOSE: ScreenWayKind
SCREEN_WAY_KIND_CONTACT: ScreenWayKind
SCREEN_WAY_KIND_GO_ON: ScreenWayKind
SCREEN_WAY_KIND_START_AGAIN: ScreenWayKind
SCREEN_WAY_KIND_UNSPECIFIED: ScreenWayKind
SHARING_CHOICE_INVESTIGATOR_ONLY: SharingChoice
SHARING_CHOICE_UNSPECIFIED: SharingChoice
SHARING_CHOICE_WIDE: SharingChoice

class ConsentScreen(_message.Message):
    __slots__ = ["alert", "entries", "file_hash", "html", "id", "ignorable", "image", "kind", "languages", "layout", "learn_more", "locale", "modal_id", "name_form", "navigation_bar", "offered", "questions", "requested_locale", "right_to_left", "schema_version", "sharing_options", "shown_hash", "signature_form", "step_id", "text", "title", "toolbar", "transition", "ways"]
    ALERT_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    FILE_HASH_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IGNORABLE_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    LEARN_MORE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    MODAL_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FORM_FIELD_NUMBER: _ClassVar[int]
    NAVIGATION_BAR_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_LOCALE_FIELD_NUMBER: _ClassVar[int]
    RIGHT_TO_LEFT_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    SHARING_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_HASH_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FORM_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOOLBAR_FIELD_NUMBER: _ClassVar[int]
    TRANSITION_FIELD_NUMBER: _ClassVar[int]
    WAYS_FIELD_NUMBER: _ClassVar[int]
    alert: ScreenAlert
    entries: ScreenEntries
    file_hash: str
    html: str
    id: str
    ignorable: _containers.RepeatedScalarFieldContainer[str]
    image: ScreenImage
    kind: ScreenKind
    languages: _containers.RepeatedCompositeFieldContainer[TextLanguage]
    layout: ScreenLayout
    learn_more: LearnMore
    locale: str
    modal_id: str
    name_form: NameForm
    navigation_bar: NavigationBar
    offered: _containers.RepeatedScalarFieldContainer[ActionKind]
    questions: _containers.RepeatedCompositeFieldContainer[ScreenQuestion]
    requested_locale: str
    right_to_left: bool
    schema_version: int
    sharing_options: _containers.RepeatedCompositeFieldContainer[SharingOption]
    shown_hash: str
    signature_form: SignatureForm
    step_id: str
    text: str
    title: str
    toolbar: ScreenToolbar
    transition: ScreenTransition
    ways: _containers.RepeatedCompositeFieldContainer[ScreenWay]
    def __init__(self, schema_version: _Optional[int] = ..., ignorable: _Optional[_Iterable[str]] = ..., id: _Optional[str] = ..., step_id: _Optional[str] = ..., kind: _Optional[_Union[ScreenKind, str]] = ..., locale: _Optional[str] = ..., right_to_left: bool = ..., transition: _Optional[_Union[ScreenTransition, str]] = ..., modal_id: _Optional[str] = ..., navigation_bar: _Optional[_Union[NavigationBar, _Mapping]] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., html: _Optional[str] = ..., image: _Optional[_Union[ScreenImage, _Mapping]] = ..., learn_more: _Optional[_Union[LearnMore, _Mapping]] = ..., questions: _Optional[_Iterable[_Union[ScreenQuestion, _Mapping]]] = ..., sharing_options: _Optional[_Iterable[_Union[SharingOption, _Mapping]]] = ..., name_form: _Optional[_Union[NameForm, _Mapping]] = ..., signature_form: _Optional[_Union[SignatureForm, _Mapping]] = ..., toolbar: _Optional[_Union[ScreenToolbar, _Mapping]] = ..., alert: _Optional[_Union[ScreenAlert, _Mapping]] = ..., offered: _Optional[_Iterable[_Union[ActionKind, str]]] = ..., layout: _Optional[_Union[ScreenLayout, _Mapping]] = ..., entries: _Optional[_Union[ScreenEntries, _Mapping]] = ..., shown_hash: _Optional[str] = ..., languages: _Optional[_Iterable[_Union[TextLanguage, _Mapping]]] = ..., requested_locale: _Optional[str] = ..., ways: _Optional[_Iterable[_Union[ScreenWay, _Mapping]]] = ..., file_hash: _Optional[str] = ...) -> None: ...

class LearnMore(_message.Message):
    __slots__ = ["html", "text", "title"]
    HTML_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    html: str
    text: str
    title: str
    def __init__(self, title: _Optional[str] = ..., html: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class NameForm(_message.Message):
    __slots__ = ["authority", "family_first", "family_label", "given_label", "mononym_label", "signature_id", "signer_title"]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIRST_FIELD_NUMBER: _ClassVar[int]
    FAMILY_LABEL_FIELD_NUMBER: _ClassVar[int]
    GIVEN_LABEL_FIELD_NUMBER: _ClassVar[int]
    MONONYM_LABEL_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNER_TITLE_FIELD_NUMBER: _ClassVar[int]
    authority: str
    family_first: bool
    family_label: str
    given_label: str
    mononym_label: str
    signature_id: str
    signer_title: str
    def __init__(self, signature_id: _Optional[str] = ..., signer_title: _Optional[str] = ..., given_label: _Optional[str] = ..., family_label: _Optional[str] = ..., family_first: bool = ..., authority: _Optional[str] = ..., mononym_label: _Optional[str] = ...) -> None: ...

class NavigationBar(_message.Message):
    __slots__ = ["leading", "page", "page_count", "page_label", "shadow_while_scrolled", "title", "trailing"]
    LEADING_FIELD_NUMBER: _ClassVar[int]
    PAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    PAGE_LABEL_FIELD_NUMBER: _ClassVar[int]
    SHADOW_WHILE_SCROLLED_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TRAILING_FIELD_NUMBER: _ClassVar[int]
    leading: ScreenButton
    page: int
    page_count: int
    page_label: str
    shadow_while_scrolled: bool
    title: str
    trailing: ScreenButton
    def __init__(self, title: _Optional[str] = ..., leading: _Optional[_Union[ScreenButton, _Mapping]] = ..., trailing: _Optional[_Union[ScreenButton, _Mapping]] = ..., page: _Optional[int] = ..., page_count: _Optional[int] = ..., page_label: _Optional[str] = ..., shadow_while_scrolled: bool = ...) -> None: ...

class QuestionAnswer(_message.Message):
    __slots__ = ["boolean", "choice_ids", "date", "number", "question_id", "text", "time_of_day"]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    CHOICE_IDS_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    boolean: _document_pb2.BooleanAnswer
    choice_ids: _containers.RepeatedScalarFieldContainer[str]
    date: _text_pb2.CalendarDate
    number: _document_pb2.NumberValue
    question_id: str
    text: str
    time_of_day: TimeOfDay
    def __init__(self, question_id: _Optional[str] = ..., choice_ids: _Optional[_Iterable[str]] = ..., text: _Optional[str] = ..., date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ..., boolean: _Optional[_Union[_document_pb2.BooleanAnswer, str]] = ..., number: _Optional[_Union[_document_pb2.NumberValue, _Mapping]] = ..., time_of_day: _Optional[_Union[TimeOfDay, _Mapping]] = ...) -> None: ...

class RecapLine(_message.Message):
    __slots__ = ["label", "value"]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    label: str
    value: str
    def __init__(self, label: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class ScreenAlert(_message.Message):
    __slots__ = ["buttons", "kind", "message", "title"]
    BUTTONS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    buttons: _containers.RepeatedCompositeFieldContainer[ScreenButton]
    kind: AlertKind
    message: str
    title: str
    def __init__(self, kind: _Optional[_Union[AlertKind, str]] = ..., title: _Optional[str] = ..., message: _Optional[str] = ..., buttons: _Optional[_Iterable[_Union[ScreenButton, _Mapping]]] = ...) -> None: ...

class ScreenButton(_message.Message):
    __slots__ = ["action", "enabled", "prominent", "title"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    PROMINENT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    action: ActionKind
    enabled: bool
    prominent: bool
    title: str
    def __init__(self, action: _Optional[_Union[ActionKind, str]] = ..., title: _Optional[str] = ..., enabled: bool = ..., prominent: bool = ...) -> None: ...

class ScreenChoice(_message.Message):
    __slots__ = ["id", "text"]
    ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    id: str
    text: str
    def __init__(self, id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ScreenEntries(_message.Message):
    __slots__ = ["answers", "attempts_left", "attempts_made", "name", "notice", "recap", "sharing"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_LEFT_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_MADE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    RECAP_FIELD_NUMBER: _ClassVar[int]
    SHARING_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[QuestionAnswer]
    attempts_left: int
    attempts_made: int
    name: _text_pb2.PersonName
    notice: str
    recap: _containers.RepeatedCompositeFieldContainer[RecapLine]
    sharing: SharingChoice
    def __init__(self, answers: _Optional[_Iterable[_Union[QuestionAnswer, _Mapping]]] = ..., sharing: _Optional[_Union[SharingChoice, str]] = ..., name: _Optional[_Union[_text_pb2.PersonName, _Mapping]] = ..., attempts_made: _Optional[int] = ..., attempts_left: _Optional[int] = ..., notice: _Optional[str] = ..., recap: _Optional[_Iterable[_Union[RecapLine, _Mapping]]] = ...) -> None: ...

class ScreenImage(_message.Message):
    __slots__ = ["alt", "animation_asset", "asset", "caption", "predefined", "still_asset"]
    ALT_FIELD_NUMBER: _ClassVar[int]
    ANIMATION_ASSET_FIELD_NUMBER: _ClassVar[int]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    CAPTION_FIELD_NUMBER: _ClassVar[int]
    PREDEFINED_FIELD_NUMBER: _ClassVar[int]
    STILL_ASSET_FIELD_NUMBER: _ClassVar[int]
    alt: str
    animation_asset: str
    asset: str
    caption: str
    predefined: _document_pb2.SectionType
    still_asset: str
    def __init__(self, asset: _Optional[str] = ..., predefined: _Optional[_Union[_document_pb2.SectionType, str]] = ..., animation_asset: _Optional[str] = ..., still_asset: _Optional[str] = ..., alt: _Optional[str] = ..., caption: _Optional[str] = ...) -> None: ...

class ScreenLayout(_message.Message):
    __slots__ = ["learn_more_padding", "regular_landscape_margin", "regular_portrait_margin"]
    LEARN_MORE_PADDING_FIELD_NUMBER: _ClassVar[int]
    REGULAR_LANDSCAPE_MARGIN_FIELD_NUMBER: _ClassVar[int]
    REGULAR_PORTRAIT_MARGIN_FIELD_NUMBER: _ClassVar[int]
    learn_more_padding: int
    regular_landscape_margin: int
    regular_portrait_margin: int
    def __init__(self, learn_more_padding: _Optional[int] = ..., regular_landscape_margin: _Optional[int] = ..., regular_portrait_margin: _Optional[int] = ...) -> None: ...

class ScreenQuestion(_message.Message):
    __slots__ = ["choices", "detail", "id", "kind", "maximum_label", "minimum_label", "no_title", "number", "optional", "prompt", "scale", "unit", "yes_title"]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_LABEL_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_LABEL_FIELD_NUMBER: _ClassVar[int]
    NO_TITLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    YES_TITLE_FIELD_NUMBER: _ClassVar[int]
    choices: _containers.RepeatedCompositeFieldContainer[ScreenChoice]
    detail: str
    id: str
    kind: _document_pb2.QuestionKind
    maximum_label: str
    minimum_label: str
    no_title: str
    number: _document_pb2.NumberRule
    optional: bool
    prompt: str
    scale: _document_pb2.ScaleRule
    unit: str
    yes_title: str
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[_document_pb2.QuestionKind, str]] = ..., prompt: _Optional[str] = ..., detail: _Optional[str] = ..., choices: _Optional[_Iterable[_Union[ScreenChoice, _Mapping]]] = ..., optional: bool = ..., number: _Optional[_Union[_document_pb2.NumberRule, _Mapping]] = ..., unit: _Optional[str] = ..., scale: _Optional[_Union[_document_pb2.ScaleRule, _Mapping]] = ..., minimum_label: _Optional[str] = ..., maximum_label: _Optional[str] = ..., yes_title: _Optional[str] = ..., no_title: _Optional[str] = ...) -> None: ...

class ScreenToolbar(_message.Message):
    __slots__ = ["buttons"]
    BUTTONS_FIELD_NUMBER: _ClassVar[int]
    buttons: _containers.RepeatedCompositeFieldContainer[ScreenButton]
    def __init__(self, buttons: _Optional[_Iterable[_Union[ScreenButton, _Mapping]]] = ...) -> None: ...

class ScreenWay(_message.Message):
    __slots__ = ["kind", "text", "title"]
    FROM_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    kind: ScreenWayKind
    text: str
    title: str
    def __init__(self, kind: _Optional[_Union[ScreenWayKind, str]] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., **kwargs) -> None: ...

class SharingOption(_message.Message):
    __slots__ = ["choice", "text"]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    choice: SharingChoice
    text: str
    def __init__(self, choice: _Optional[_Union[SharingChoice, str]] = ..., text: _Optional[str] = ...) -> None: ...

class SignatureForm(_message.Message):
    __slots__ = ["authority", "challenge", "document_title", "initials", "meaning", "other_than_name", "place", "requires_image", "requires_reauthentication", "reuse_allowed", "signature_id", "signer_title", "typed_allowed", "typed_rule", "upload_allowed"]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_TITLE_FIELD_NUMBER: _ClassVar[int]
    INITIALS_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    OTHER_THAN_NAME_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_IMAGE_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_REAUTHENTICATION_FIELD_NUMBER: _ClassVar[int]
    REUSE_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNER_TITLE_FIELD_NUMBER: _ClassVar[int]
    TYPED_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    TYPED_RULE_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    authority: str
    challenge: bytes
    document_title: str
    initials: bool
    meaning: str
    other_than_name: str
    place: SignaturePlace
    requires_image: bool
    requires_reauthentication: bool
    reuse_allowed: bool
    signature_id: str
    signer_title: str
    typed_allowed: bool
    typed_rule: str
    upload_allowed: bool
    def __init__(self, signature_id: _Optional[str] = ..., signer_title: _Optional[str] = ..., meaning: _Optional[str] = ..., typed_allowed: bool = ..., requires_reauthentication: bool = ..., requires_image: bool = ..., authority: _Optional[str] = ..., challenge: _Optional[bytes] = ..., place: _Optional[_Union[SignaturePlace, _Mapping]] = ..., upload_allowed: bool = ..., reuse_allowed: bool = ..., initials: bool = ..., typed_rule: _Optional[str] = ..., other_than_name: _Optional[str] = ..., document_title: _Optional[str] = ...) -> None: ...

class SignaturePlace(_message.Message):
    __slots__ = ["document_id", "document_version", "record_id", "session_id", "signature_id", "site_id", "study_id", "subject_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    document_version: int
    record_id: str
    session_id: str
    signature_id: str
    site_id: str
    study_id: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., session_id: _Optional[str] = ..., signature_id: _Optional[str] = ..., document_id: _Optional[str] = ..., document_version: _Optional[int] = ..., record_id: _Optional[str] = ...) -> None: ...

class TextLanguage(_message.Message):
    __slots__ = ["fields", "locale", "right_to_left"]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    RIGHT_TO_LEFT_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.RepeatedScalarFieldContainer[str]
    locale: str
    right_to_left: bool
    def __init__(self, locale: _Optional[str] = ..., right_to_left: bool = ..., fields: _Optional[_Iterable[str]] = ...) -> None: ...

class TimeOfDay(_message.Message):
    __slots__ = ["hour", "minute"]
    HOUR_FIELD_NUMBER: _ClassVar[int]
    MINUTE_FIELD_NUMBER: _ClassVar[int]
    hour: int
    minute: int
    def __init__(self, hour: _Optional[int] = ..., minute: _Optional[int] = ...) -> None: ...

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ScreenKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ScreenTransition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SharingChoice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AlertKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ScreenWayKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
