from assent.signature.v1 import ink_pb2 as _ink_pb2
from assent.signature.v1 import render_pb2 as _render_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FIELD_ACTION_APPEND_STROKES: FieldAction
FIELD_ACTION_CANCEL: FieldAction
FIELD_ACTION_CLEAR: FieldAction
FIELD_ACTION_COMPLETE: FieldAction
FIELD_ACTION_RESIZE: FieldAction
FIELD_ACTION_REUSE: FieldAction
FIELD_ACTION_RE_ENTER: FieldAction
FIELD_ACTION_SAVE: FieldAction
FIELD_ACTION_SAVE_TYPED: FieldAction
FIELD_ACTION_SAVE_UPLOADED: FieldAction
FIELD_ACTION_TAP: FieldAction
FIELD_ACTION_UNDO: FieldAction
FIELD_ACTION_UNSPECIFIED: FieldAction
FIELD_CONTROL_KIND_ADD: FieldControlKind
FIELD_CONTROL_KIND_CANCEL: FieldControlKind
FIELD_CONTROL_KIND_CANVAS: FieldControlKind
FIELD_CONTROL_KIND_CLEAR: FieldControlKind
FIELD_CONTROL_KIND_ICON: FieldControlKind
FIELD_CONTROL_KIND_REUSE: FieldControlKind
FIELD_CONTROL_KIND_RE_ENTER: FieldControlKind
FIELD_CONTROL_KIND_SAVE: FieldControlKind
FIELD_CONTROL_KIND_TYPE: FieldControlKind
FIELD_CONTROL_KIND_UNDO: FieldControlKind
FIELD_CONTROL_KIND_UNSPECIFIED: FieldControlKind
FIELD_CONTROL_KIND_UPLOAD: FieldControlKind
FIELD_FORM_DIALOG: FieldForm
FIELD_FORM_INLINE: FieldForm
FIELD_FORM_UNSPECIFIED: FieldForm
FIELD_MARK_INITIALS: FieldMark
FIELD_MARK_SIGNATURE: FieldMark
FIELD_MARK_UNSPECIFIED: FieldMark
FIELD_STATE_ACTIVE: FieldState
FIELD_STATE_INACTIVE: FieldState
FIELD_STATE_SAVED: FieldState
FIELD_STATE_SIGNED: FieldState
FIELD_STATE_UNSPECIFIED: FieldState
REENTRY_POLICY_TO_ACTIVE: ReentryPolicy
REENTRY_POLICY_TO_INACTIVE: ReentryPolicy
REENTRY_POLICY_UNSPECIFIED: ReentryPolicy
SIGNATURE_KIND_DRAWN: SignatureKind
SIGNATURE_KIND_TYPED: SignatureKind
SIGNATURE_KIND_UNSPECIFIED: SignatureKind
SIGNATURE_KIND_UPLOADED: SignatureKind

class FieldConflict(_message.Message):
    __slots__ = ["current", "expected_version", "points_taken"]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    POINTS_TAKEN_FIELD_NUMBER: _ClassVar[int]
    current: FieldView
    expected_version: int
    points_taken: int
    def __init__(self, expected_version: _Optional[int] = ..., current: _Optional[_Union[FieldView, _Mapping]] = ..., points_taken: _Optional[int] = ...) -> None: ...

class FieldControl(_message.Message):
    __slots__ = ["action", "enabled", "kind", "label", "shown"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    action: FieldAction
    enabled: bool
    kind: FieldControlKind
    label: str
    shown: bool
    def __init__(self, kind: _Optional[_Union[FieldControlKind, str]] = ..., shown: bool = ..., enabled: bool = ..., label: _Optional[str] = ..., action: _Optional[_Union[FieldAction, str]] = ...) -> None: ...

class FieldCrop(_message.Message):
    __slots__ = ["padding"]
    PADDING_FIELD_NUMBER: _ClassVar[int]
    padding: float
    def __init__(self, padding: _Optional[float] = ...) -> None: ...

class FieldInscription(_message.Message):
    __slots__ = ["date", "name", "reason"]
    DATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    date: bool
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ..., date: bool = ...) -> None: ...

class FieldReference(_message.Message):
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

class FieldRefusal(_message.Message):
    __slots__ = ["action", "current"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    action: FieldAction
    current: FieldView
    def __init__(self, action: _Optional[_Union[FieldAction, str]] = ..., current: _Optional[_Union[FieldView, _Mapping]] = ...) -> None: ...

class FieldSettings(_message.Message):
    __slots__ = ["canvas", "crop", "form", "header", "helper_text", "ink_color", "inscription", "label", "mark", "paper_color", "pen_width", "placeholder", "reentry", "required", "reuse_allowed", "typing_refused", "upload_allowed", "words"]
    CANVAS_FIELD_NUMBER: _ClassVar[int]
    CROP_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    HELPER_TEXT_FIELD_NUMBER: _ClassVar[int]
    INK_COLOR_FIELD_NUMBER: _ClassVar[int]
    INSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    MARK_FIELD_NUMBER: _ClassVar[int]
    PAPER_COLOR_FIELD_NUMBER: _ClassVar[int]
    PEN_WIDTH_FIELD_NUMBER: _ClassVar[int]
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    REENTRY_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    REUSE_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    TYPING_REFUSED_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    canvas: _ink_pb2.InkCanvas
    crop: FieldCrop
    form: FieldForm
    header: str
    helper_text: str
    ink_color: str
    inscription: FieldInscription
    label: str
    mark: FieldMark
    paper_color: str
    pen_width: float
    placeholder: str
    reentry: ReentryPolicy
    required: bool
    reuse_allowed: bool
    typing_refused: bool
    upload_allowed: bool
    words: FieldWords
    def __init__(self, header: _Optional[str] = ..., required: bool = ..., label: _Optional[str] = ..., helper_text: _Optional[str] = ..., placeholder: _Optional[str] = ..., form: _Optional[_Union[FieldForm, str]] = ..., reentry: _Optional[_Union[ReentryPolicy, str]] = ..., canvas: _Optional[_Union[_ink_pb2.InkCanvas, _Mapping]] = ..., pen_width: _Optional[float] = ..., typing_refused: bool = ..., words: _Optional[_Union[FieldWords, _Mapping]] = ..., ink_color: _Optional[str] = ..., paper_color: _Optional[str] = ..., crop: _Optional[_Union[FieldCrop, _Mapping]] = ..., inscription: _Optional[_Union[FieldInscription, _Mapping]] = ..., upload_allowed: bool = ..., reuse_allowed: bool = ..., mark: _Optional[_Union[FieldMark, str]] = ...) -> None: ...

class FieldView(_message.Message):
    __slots__ = ["canvas", "canvas_shown", "completed", "controls", "dialog_open", "drawable", "dropped_points", "field_id", "fonts", "footer_shown", "form", "header", "helper_text", "ink_opacity_percent", "inscription", "label", "last_stroke_points", "lent_to", "mark", "offered", "pen_width", "pinned_revision", "placeholder", "point_count", "reference", "required_mark", "revision_count", "saved", "saved_image", "scrim_shown", "signature_line_shown", "state", "stroke_count", "version"]
    CANVAS_FIELD_NUMBER: _ClassVar[int]
    CANVAS_SHOWN_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    DIALOG_OPEN_FIELD_NUMBER: _ClassVar[int]
    DRAWABLE_FIELD_NUMBER: _ClassVar[int]
    DROPPED_POINTS_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    FONTS_FIELD_NUMBER: _ClassVar[int]
    FOOTER_SHOWN_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    HELPER_TEXT_FIELD_NUMBER: _ClassVar[int]
    INK_OPACITY_PERCENT_FIELD_NUMBER: _ClassVar[int]
    INSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LAST_STROKE_POINTS_FIELD_NUMBER: _ClassVar[int]
    LENT_TO_FIELD_NUMBER: _ClassVar[int]
    MARK_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    PEN_WIDTH_FIELD_NUMBER: _ClassVar[int]
    PINNED_REVISION_FIELD_NUMBER: _ClassVar[int]
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    POINT_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_MARK_FIELD_NUMBER: _ClassVar[int]
    REVISION_COUNT_FIELD_NUMBER: _ClassVar[int]
    SAVED_FIELD_NUMBER: _ClassVar[int]
    SAVED_IMAGE_FIELD_NUMBER: _ClassVar[int]
    SCRIM_SHOWN_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_LINE_SHOWN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STROKE_COUNT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    canvas: _ink_pb2.InkCanvas
    canvas_shown: bool
    completed: bool
    controls: _containers.RepeatedCompositeFieldContainer[FieldControl]
    dialog_open: bool
    drawable: bool
    dropped_points: int
    field_id: str
    fonts: _containers.RepeatedScalarFieldContainer[str]
    footer_shown: bool
    form: FieldForm
    header: str
    helper_text: str
    ink_opacity_percent: int
    inscription: FieldInscription
    label: str
    last_stroke_points: int
    lent_to: str
    mark: FieldMark
    offered: _containers.RepeatedScalarFieldContainer[FieldAction]
    pen_width: float
    pinned_revision: int
    placeholder: str
    point_count: int
    reference: FieldReference
    required_mark: str
    revision_count: int
    saved: SavedSignature
    saved_image: SavedImage
    scrim_shown: bool
    signature_line_shown: bool
    state: FieldState
    stroke_count: int
    version: int
    def __init__(self, field_id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[FieldState, str]] = ..., completed: bool = ..., reference: _Optional[_Union[FieldReference, _Mapping]] = ..., form: _Optional[_Union[FieldForm, str]] = ..., header: _Optional[str] = ..., required_mark: _Optional[str] = ..., label: _Optional[str] = ..., helper_text: _Optional[str] = ..., placeholder: _Optional[str] = ..., canvas_shown: bool = ..., dialog_open: bool = ..., scrim_shown: bool = ..., drawable: bool = ..., signature_line_shown: bool = ..., footer_shown: bool = ..., controls: _Optional[_Iterable[_Union[FieldControl, _Mapping]]] = ..., offered: _Optional[_Iterable[_Union[FieldAction, str]]] = ..., canvas: _Optional[_Union[_ink_pb2.InkCanvas, _Mapping]] = ..., pen_width: _Optional[float] = ..., ink_opacity_percent: _Optional[int] = ..., stroke_count: _Optional[int] = ..., point_count: _Optional[int] = ..., dropped_points: _Optional[int] = ..., last_stroke_points: _Optional[int] = ..., saved: _Optional[_Union[SavedSignature, _Mapping]] = ..., saved_image: _Optional[_Union[SavedImage, _Mapping]] = ..., fonts: _Optional[_Iterable[str]] = ..., revision_count: _Optional[int] = ..., pinned_revision: _Optional[int] = ..., mark: _Optional[_Union[FieldMark, str]] = ..., inscription: _Optional[_Union[FieldInscription, _Mapping]] = ..., lent_to: _Optional[str] = ...) -> None: ...

class FieldWords(_message.Message):
    __slots__ = ["add_signature", "cancel", "clear", "re_enter", "reuse", "save", "signature", "tap_to_sign", "type_instead", "undo", "upload"]
    ADD_SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    CLEAR_FIELD_NUMBER: _ClassVar[int]
    REUSE_FIELD_NUMBER: _ClassVar[int]
    RE_ENTER_FIELD_NUMBER: _ClassVar[int]
    SAVE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    TAP_TO_SIGN_FIELD_NUMBER: _ClassVar[int]
    TYPE_INSTEAD_FIELD_NUMBER: _ClassVar[int]
    UNDO_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_FIELD_NUMBER: _ClassVar[int]
    add_signature: str
    cancel: str
    clear: str
    re_enter: str
    reuse: str
    save: str
    signature: str
    tap_to_sign: str
    type_instead: str
    undo: str
    upload: str
    def __init__(self, tap_to_sign: _Optional[str] = ..., add_signature: _Optional[str] = ..., cancel: _Optional[str] = ..., clear: _Optional[str] = ..., save: _Optional[str] = ..., type_instead: _Optional[str] = ..., re_enter: _Optional[str] = ..., undo: _Optional[str] = ..., upload: _Optional[str] = ..., reuse: _Optional[str] = ..., signature: _Optional[str] = ...) -> None: ...

class SavedImage(_message.Message):
    __slots__ = ["etag", "pen_width", "settings", "signature_id"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    PEN_WIDTH_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    etag: str
    pen_width: float
    settings: _render_pb2.RenderSettings
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., etag: _Optional[str] = ..., pen_width: _Optional[float] = ..., settings: _Optional[_Union[_render_pb2.RenderSettings, _Mapping]] = ...) -> None: ...

class SavedSignature(_message.Message):
    __slots__ = ["device", "drawn_on", "dropped_points", "hash", "kind", "mark", "point_count", "replaced_at", "reused_from", "revision", "saved_at", "saved_by", "signature_id", "signing_time", "stroke_count"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    DRAWN_ON_FIELD_NUMBER: _ClassVar[int]
    DROPPED_POINTS_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MARK_FIELD_NUMBER: _ClassVar[int]
    POINT_COUNT_FIELD_NUMBER: _ClassVar[int]
    REPLACED_AT_FIELD_NUMBER: _ClassVar[int]
    REUSED_FROM_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SAVED_AT_FIELD_NUMBER: _ClassVar[int]
    SAVED_BY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNING_TIME_FIELD_NUMBER: _ClassVar[int]
    STROKE_COUNT_FIELD_NUMBER: _ClassVar[int]
    device: str
    drawn_on: str
    dropped_points: int
    hash: str
    kind: SignatureKind
    mark: FieldMark
    point_count: int
    replaced_at: _timestamp_pb2.Timestamp
    reused_from: SignatureSource
    revision: int
    saved_at: _timestamp_pb2.Timestamp
    saved_by: str
    signature_id: str
    signing_time: SigningTime
    stroke_count: int
    def __init__(self, signature_id: _Optional[str] = ..., revision: _Optional[int] = ..., kind: _Optional[_Union[SignatureKind, str]] = ..., hash: _Optional[str] = ..., stroke_count: _Optional[int] = ..., point_count: _Optional[int] = ..., dropped_points: _Optional[int] = ..., saved_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., signing_time: _Optional[_Union[SigningTime, _Mapping]] = ..., device: _Optional[str] = ..., saved_by: _Optional[str] = ..., replaced_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., reused_from: _Optional[_Union[SignatureSource, _Mapping]] = ..., mark: _Optional[_Union[FieldMark, str]] = ..., drawn_on: _Optional[str] = ...) -> None: ...

class SignatureSource(_message.Message):
    __slots__ = ["field_id", "revision", "signature_id"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    revision: int
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., field_id: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class SigningTime(_message.Message):
    __slots__ = ["at", "utc_offset_minutes"]
    AT_FIELD_NUMBER: _ClassVar[int]
    UTC_OFFSET_MINUTES_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    utc_offset_minutes: int
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., utc_offset_minutes: _Optional[int] = ...) -> None: ...

class FieldForm(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ReentryPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FieldState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FieldAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FieldControlKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FieldMark(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SignatureKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
