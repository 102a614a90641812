from assent.common.v1 import trail_pb2 as _trail_pb2
from assent.signature.v1 import field_pb2 as _field_pb2
from assent.signature.v1 import ink_pb2 as _ink_pb2
from assent.signature.v1 import render_pb2 as _render_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
STROKE_FORMAT_INKML: StrokeFormat
STROKE_FORMAT_ISO_19794_7: StrokeFormat
STROKE_FORMAT_SIGNATURE_PAD: StrokeFormat
STROKE_FORMAT_STORED: StrokeFormat
STROKE_FORMAT_SVC: StrokeFormat
STROKE_FORMAT_UIM: StrokeFormat
STROKE_FORMAT_UNSPECIFIED: StrokeFormat

class AppendStrokesRequest(_message.Message):
    __slots__ = ["expected_version", "field_id", "pieces"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    pieces: _containers.RepeatedCompositeFieldContainer[StrokePiece]
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., pieces: _Optional[_Iterable[_Union[StrokePiece, _Mapping]]] = ...) -> None: ...

class AppendStrokesResponse(_message.Message):
    __slots__ = ["points_taken", "view"]
    POINTS_TAKEN_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    points_taken: int
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ..., points_taken: _Optional[int] = ...) -> None: ...

class CancelFieldRequest(_message.Message):
    __slots__ = ["expected_version", "field_id"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class CancelFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class ClearFieldRequest(_message.Message):
    __slots__ = ["expected_version", "field_id"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class ClearFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class CompleteFieldRequest(_message.Message):
    __slots__ = ["expected_version", "field_id", "reference", "revision"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    reference: _field_pb2.FieldReference
    revision: int
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., revision: _Optional[int] = ..., reference: _Optional[_Union[_field_pb2.FieldReference, _Mapping]] = ...) -> None: ...

class CompleteFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class CreateFieldRequest(_message.Message):
    __slots__ = ["field_id", "reference", "settings"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    reference: _field_pb2.FieldReference
    settings: _field_pb2.FieldSettings
    def __init__(self, reference: _Optional[_Union[_field_pb2.FieldReference, _Mapping]] = ..., settings: _Optional[_Union[_field_pb2.FieldSettings, _Mapping]] = ..., field_id: _Optional[str] = ...) -> None: ...

class CreateFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class DrawingBlock(_message.Message):
    __slots__ = ["pieces"]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedCompositeFieldContainer[KeptPiece]
    def __init__(self, pieces: _Optional[_Iterable[_Union[KeptPiece, _Mapping]]] = ...) -> None: ...

class EraseSignaturesRequest(_message.Message):
    __slots__ = ["reason", "subject_id"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    reason: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EraseSignaturesResponse(_message.Message):
    __slots__ = ["erased_at"]
    ERASED_AT_FIELD_NUMBER: _ClassVar[int]
    erased_at: _timestamp_pb2.Timestamp
    def __init__(self, erased_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ExportStrokesRequest(_message.Message):
    __slots__ = ["format", "signature_id"]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    format: StrokeFormat
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., format: _Optional[_Union[StrokeFormat, str]] = ...) -> None: ...

class ExportStrokesResponse(_message.Message):
    __slots__ = ["content", "media_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    media_type: str
    def __init__(self, content: _Optional[bytes] = ..., media_type: _Optional[str] = ...) -> None: ...

class FieldEvent(_message.Message):
    __slots__ = ["actor", "device", "drawn_on", "field_id", "hash", "kind", "lent_to", "reference", "reused_from", "signature_id", "state", "version"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    DRAWN_ON_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LENT_TO_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    REUSED_FROM_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    actor: str
    device: str
    drawn_on: str
    field_id: str
    hash: str
    kind: _field_pb2.SignatureKind
    lent_to: str
    reference: _field_pb2.FieldReference
    reused_from: _field_pb2.SignatureSource
    signature_id: str
    state: _field_pb2.FieldState
    version: int
    def __init__(self, field_id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[_field_pb2.FieldState, str]] = ..., signature_id: _Optional[str] = ..., hash: _Optional[str] = ..., actor: _Optional[str] = ..., device: _Optional[str] = ..., reference: _Optional[_Union[_field_pb2.FieldReference, _Mapping]] = ..., kind: _Optional[_Union[_field_pb2.SignatureKind, str]] = ..., reused_from: _Optional[_Union[_field_pb2.SignatureSource, _Mapping]] = ..., lent_to: _Optional[str] = ..., drawn_on: _Optional[str] = ...) -> None: ...

class GetFieldEvidenceRequest(_message.Message):
    __slots__ = ["earlier_heads", "field_ids"]
    EARLIER_HEADS_FIELD_NUMBER: _ClassVar[int]
    FIELD_IDS_FIELD_NUMBER: _ClassVar[int]
    earlier_heads: _containers.RepeatedScalarFieldContainer[str]
    field_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, field_ids: _Optional[_Iterable[str]] = ..., earlier_heads: _Optional[_Iterable[str]] = ...) -> None: ...

class GetFieldEvidenceResponse(_message.Message):
    __slots__ = ["content"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    def __init__(self, content: _Optional[bytes] = ...) -> None: ...

class GetFieldRequest(_message.Message):
    __slots__ = ["field_id"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    def __init__(self, field_id: _Optional[str] = ...) -> None: ...

class GetFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class GetPicturedSignatureRequest(_message.Message):
    __slots__ = ["signature_id"]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ...) -> None: ...

class GetPicturedSignatureResponse(_message.Message):
    __slots__ = ["signature"]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    signature: GetStrokesResponse
    def __init__(self, signature: _Optional[_Union[GetStrokesResponse, _Mapping]] = ...) -> None: ...

class GetSignatureFindingsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetSignatureFindingsResponse(_message.Message):
    __slots__ = ["problems"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, problems: _Optional[_Iterable[str]] = ...) -> None: ...

class GetStrokesRequest(_message.Message):
    __slots__ = ["hash", "signature_id"]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    hash: str
    signature_id: str
    def __init__(self, signature_id: _Optional[str] = ..., hash: _Optional[str] = ...) -> None: ...

class GetStrokesResponse(_message.Message):
    __slots__ = ["blob", "drawing", "field_id", "reference", "salt", "saved", "settings", "typed"]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    DRAWING_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    SAVED_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    blob: bytes
    drawing: _ink_pb2.InkDrawing
    field_id: str
    reference: _field_pb2.FieldReference
    salt: bytes
    saved: _field_pb2.SavedSignature
    settings: _render_pb2.RenderSettings
    typed: _ink_pb2.TypedName
    def __init__(self, saved: _Optional[_Union[_field_pb2.SavedSignature, _Mapping]] = ..., field_id: _Optional[str] = ..., drawing: _Optional[_Union[_ink_pb2.InkDrawing, _Mapping]] = ..., blob: _Optional[bytes] = ..., typed: _Optional[_Union[_ink_pb2.TypedName, _Mapping]] = ..., salt: _Optional[bytes] = ..., reference: _Optional[_Union[_field_pb2.FieldReference, _Mapping]] = ..., settings: _Optional[_Union[_render_pb2.RenderSettings, _Mapping]] = ...) -> None: ...

class HoldSignaturesRequest(_message.Message):
    __slots__ = ["held", "reason", "subject_id"]
    HELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    held: bool
    reason: str
    subject_id: str
    def __init__(self, subject_id: _Optional[str] = ..., held: bool = ..., reason: _Optional[str] = ...) -> None: ...

class HoldSignaturesResponse(_message.Message):
    __slots__ = ["held"]
    HELD_FIELD_NUMBER: _ClassVar[int]
    held: bool
    def __init__(self, held: bool = ...) -> None: ...

class ImportStrokesRequest(_message.Message):
    __slots__ = ["content", "expected_version", "field_id", "fit", "format"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    expected_version: int
    field_id: str
    fit: bool
    format: StrokeFormat
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., content: _Optional[bytes] = ..., format: _Optional[_Union[StrokeFormat, str]] = ..., fit: bool = ...) -> None: ...

class ImportStrokesResponse(_message.Message):
    __slots__ = ["points_taken", "view"]
    POINTS_TAKEN_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    points_taken: int
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ..., points_taken: _Optional[int] = ...) -> None: ...

class KeptPiece(_message.Message):
    __slots__ = ["dropped_before", "piece", "reentered", "version"]
    DROPPED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    REENTERED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    dropped_before: int
    piece: StrokePiece
    reentered: bool
    version: int
    def __init__(self, version: _Optional[int] = ..., piece: _Optional[_Union[StrokePiece, _Mapping]] = ..., reentered: bool = ..., dropped_before: _Optional[int] = ...) -> None: ...

class LendFieldRequest(_message.Message):
    __slots__ = ["device", "expected_version", "field_id"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    device: str
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., device: _Optional[str] = ...) -> None: ...

class LendFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class ListFieldsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "session_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFieldsResponse(_message.Message):
    __slots__ = ["next_page_token", "views"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    views: _containers.RepeatedCompositeFieldContainer[_field_pb2.FieldView]
    def __init__(self, views: _Optional[_Iterable[_Union[_field_pb2.FieldView, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListRevisionsRequest(_message.Message):
    __slots__ = ["field_id", "page_size", "page_token"]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    field_id: str
    page_size: int
    page_token: str
    def __init__(self, field_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRevisionsResponse(_message.Message):
    __slots__ = ["next_page_token", "revisions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    revisions: _containers.RepeatedCompositeFieldContainer[_field_pb2.SavedSignature]
    def __init__(self, revisions: _Optional[_Iterable[_Union[_field_pb2.SavedSignature, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSignatureHeadsRequest(_message.Message):
    __slots__ = ["after_size", "page_size"]
    AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    after_size: int
    page_size: int
    def __init__(self, after_size: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListSignatureHeadsResponse(_message.Message):
    __slots__ = ["heads", "next_after_size"]
    HEADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    heads: _containers.RepeatedScalarFieldContainer[str]
    next_after_size: int
    def __init__(self, heads: _Optional[_Iterable[str]] = ..., next_after_size: _Optional[int] = ...) -> None: ...

class ListSignatureTrailRequest(_message.Message):
    __slots__ = ["all_studies", "changes_only", "page_size", "page_token", "study_id"]
    ALL_STUDIES_FIELD_NUMBER: _ClassVar[int]
    CHANGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    all_studies: bool
    changes_only: bool
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_token: _Optional[str] = ..., page_size: _Optional[int] = ..., all_studies: bool = ..., changes_only: bool = ...) -> None: ...

class ListSignatureTrailResponse(_message.Message):
    __slots__ = ["entries", "next_page_token", "read_until"]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    READ_UNTIL_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_trail_pb2.TrailEntry]
    next_page_token: str
    read_until: _timestamp_pb2.Timestamp
    def __init__(self, entries: _Optional[_Iterable[_Union[_trail_pb2.TrailEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., read_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NoteMergedSignerRequest(_message.Message):
    __slots__ = ["ended_id", "staying_id"]
    ENDED_ID_FIELD_NUMBER: _ClassVar[int]
    STAYING_ID_FIELD_NUMBER: _ClassVar[int]
    ended_id: str
    staying_id: str
    def __init__(self, ended_id: _Optional[str] = ..., staying_id: _Optional[str] = ...) -> None: ...

class NoteMergedSignerResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReEnterFieldRequest(_message.Message):
    __slots__ = ["expected_version", "field_id"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class ReEnterFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class ResizeFieldRequest(_message.Message):
    __slots__ = ["canvas", "expected_version", "field_id"]
    CANVAS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    canvas: _ink_pb2.InkCanvas
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., canvas: _Optional[_Union[_ink_pb2.InkCanvas, _Mapping]] = ...) -> None: ...

class ResizeFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class ReuseSignatureRequest(_message.Message):
    __slots__ = ["expected_version", "field_id", "signature_id", "signing_time"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNING_TIME_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    signature_id: str
    signing_time: _field_pb2.SigningTime
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., signature_id: _Optional[str] = ..., signing_time: _Optional[_Union[_field_pb2.SigningTime, _Mapping]] = ...) -> None: ...

class ReuseSignatureResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class SaveFieldRequest(_message.Message):
    __slots__ = ["drawn_with", "expected_version", "field_id", "signing_time"]
    DRAWN_WITH_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNING_TIME_FIELD_NUMBER: _ClassVar[int]
    drawn_with: str
    expected_version: int
    field_id: str
    signing_time: _field_pb2.SigningTime
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., signing_time: _Optional[_Union[_field_pb2.SigningTime, _Mapping]] = ..., drawn_with: _Optional[str] = ...) -> None: ...

class SaveFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class SaveTypedNameRequest(_message.Message):
    __slots__ = ["expected_version", "field_id", "name", "signing_time"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNING_TIME_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    name: _ink_pb2.TypedName
    signing_time: _field_pb2.SigningTime
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., name: _Optional[_Union[_ink_pb2.TypedName, _Mapping]] = ..., signing_time: _Optional[_Union[_field_pb2.SigningTime, _Mapping]] = ...) -> None: ...

class SaveTypedNameResponse(_message.Message):
    __slots__ = ["faces", "view"]
    FACES_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    faces: _containers.RepeatedCompositeFieldContainer[_render_pb2.NameFace]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ..., faces: _Optional[_Iterable[_Union[_render_pb2.NameFace, _Mapping]]] = ...) -> None: ...

class SaveUploadedImageRequest(_message.Message):
    __slots__ = ["content", "expected_version", "field_id", "signing_time"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNING_TIME_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    expected_version: int
    field_id: str
    signing_time: _field_pb2.SigningTime
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., content: _Optional[bytes] = ..., signing_time: _Optional[_Union[_field_pb2.SigningTime, _Mapping]] = ...) -> None: ...

class SaveUploadedImageResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class StrokePiece(_message.Message):
    __slots__ = ["altitude", "azimuth", "begins_stroke", "pen", "pressure", "time_ms", "x", "y"]
    ALTITUDE_FIELD_NUMBER: _ClassVar[int]
    AZIMUTH_FIELD_NUMBER: _ClassVar[int]
    BEGINS_STROKE_FIELD_NUMBER: _ClassVar[int]
    PEN_FIELD_NUMBER: _ClassVar[int]
    PRESSURE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    altitude: _containers.RepeatedScalarFieldContainer[float]
    azimuth: _containers.RepeatedScalarFieldContainer[float]
    begins_stroke: bool
    pen: _ink_pb2.InkPen
    pressure: _containers.RepeatedScalarFieldContainer[float]
    time_ms: _containers.RepeatedScalarFieldContainer[float]
    x: _containers.RepeatedScalarFieldContainer[float]
    y: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, begins_stroke: bool = ..., x: _Optional[_Iterable[float]] = ..., y: _Optional[_Iterable[float]] = ..., time_ms: _Optional[_Iterable[float]] = ..., pressure: _Optional[_Iterable[float]] = ..., altitude: _Optional[_Iterable[float]] = ..., azimuth: _Optional[_Iterable[float]] = ..., pen: _Optional[_Union[_ink_pb2.InkPen, _Mapping]] = ...) -> None: ...

class TapFieldRequest(_message.Message):
    __slots__ = ["expected_version", "field_id"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class TapFieldResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class UndoStrokeRequest(_message.Message):
    __slots__ = ["expected_version", "field_id"]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    expected_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class UndoStrokeResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ...) -> None: ...

class WatchFieldRequest(_message.Message):
    __slots__ = ["after_version", "field_id"]
    AFTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELD_ID_FIELD_NUMBER: _ClassVar[int]
    after_version: int
    field_id: str
    def __init__(self, field_id: _Optional[str] = ..., after_version: _Optional[int] = ...) -> None: ...

class WatchFieldResponse(_message.Message):
    __slots__ = ["pieces", "reset", "view"]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    pieces: _containers.RepeatedCompositeFieldContainer[StrokePiece]
    reset: bool
    view: _field_pb2.FieldView
    def __init__(self, view: _Optional[_Union[_field_pb2.FieldView, _Mapping]] = ..., reset: bool = ..., pieces: _Optional[_Iterable[_Union[StrokePiece, _Mapping]]] = ...) -> None: ...

class StrokeFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
