from assent.signature.v1 import ink_pb2 as _ink_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
SIGNATURE_FORMAT_JPEG: SignatureFormat
SIGNATURE_FORMAT_PDF: SignatureFormat
SIGNATURE_FORMAT_PNG: SignatureFormat
SIGNATURE_FORMAT_SVG: SignatureFormat
SIGNATURE_FORMAT_UNSPECIFIED: SignatureFormat
SIGNATURE_FORMAT_WEBP: SignatureFormat
SIGNATURE_LOOK_INK_1: SignatureLook
SIGNATURE_LOOK_PAD_1: SignatureLook
SIGNATURE_LOOK_UNSPECIFIED: SignatureLook

class NameFace(_message.Message):
    __slots__ = ["name", "plain"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLAIN_FIELD_NUMBER: _ClassVar[int]
    name: str
    plain: bool
    def __init__(self, name: _Optional[str] = ..., plain: bool = ...) -> None: ...

class RenderBatchRequest(_message.Message):
    __slots__ = ["id", "render"]
    ID_FIELD_NUMBER: _ClassVar[int]
    RENDER_FIELD_NUMBER: _ClassVar[int]
    id: str
    render: RenderRequest
    def __init__(self, id: _Optional[str] = ..., render: _Optional[_Union[RenderRequest, _Mapping]] = ...) -> None: ...

class RenderBatchResponse(_message.Message):
    __slots__ = ["failure", "id", "picture"]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    failure: RenderFailure
    id: str
    picture: RenderResponse
    def __init__(self, id: _Optional[str] = ..., picture: _Optional[_Union[RenderResponse, _Mapping]] = ..., failure: _Optional[_Union[RenderFailure, _Mapping]] = ...) -> None: ...

class RenderFailure(_message.Message):
    __slots__ = ["code", "message"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class RenderRequest(_message.Message):
    __slots__ = ["blob", "drawing", "if_none_match", "settings", "signature_id", "typed"]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    DRAWING_FIELD_NUMBER: _ClassVar[int]
    IF_NONE_MATCH_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    blob: bytes
    drawing: _ink_pb2.InkDrawing
    if_none_match: str
    settings: RenderSettings
    signature_id: str
    typed: _ink_pb2.TypedName
    def __init__(self, drawing: _Optional[_Union[_ink_pb2.InkDrawing, _Mapping]] = ..., blob: _Optional[bytes] = ..., signature_id: _Optional[str] = ..., typed: _Optional[_Union[_ink_pb2.TypedName, _Mapping]] = ..., settings: _Optional[_Union[RenderSettings, _Mapping]] = ..., if_none_match: _Optional[str] = ...) -> None: ...

class RenderResponse(_message.Message):
    __slots__ = ["etag", "faces", "height", "image", "media_type", "not_modified", "width"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    NOT_MODIFIED_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    etag: str
    faces: _containers.RepeatedCompositeFieldContainer[NameFace]
    height: int
    image: bytes
    media_type: str
    not_modified: bool
    width: int
    def __init__(self, image: _Optional[bytes] = ..., media_type: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., etag: _Optional[str] = ..., not_modified: bool = ..., faces: _Optional[_Iterable[_Union[NameFace, _Mapping]]] = ...) -> None: ...

class RenderSettings(_message.Message):
    __slots__ = ["bit_depth", "dots_per_inch", "format", "height", "ink_color", "look", "paper_color", "pen_width", "quality", "rotation", "scale", "trim", "trim_margin", "width"]
    BIT_DEPTH_FIELD_NUMBER: _ClassVar[int]
    DOTS_PER_INCH_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    INK_COLOR_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    PAPER_COLOR_FIELD_NUMBER: _ClassVar[int]
    PEN_WIDTH_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    TRIM_FIELD_NUMBER: _ClassVar[int]
    TRIM_MARGIN_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    bit_depth: int
    dots_per_inch: float
    format: SignatureFormat
    height: int
    ink_color: str
    look: SignatureLook
    paper_color: str
    pen_width: float
    quality: int
    rotation: int
    scale: float
    trim: bool
    trim_margin: float
    width: int
    def __init__(self, format: _Optional[_Union[SignatureFormat, str]] = ..., bit_depth: _Optional[int] = ..., look: _Optional[_Union[SignatureLook, str]] = ..., pen_width: _Optional[float] = ..., ink_color: _Optional[str] = ..., paper_color: _Optional[str] = ..., trim: bool = ..., trim_margin: _Optional[float] = ..., scale: _Optional[float] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., dots_per_inch: _Optional[float] = ..., rotation: _Optional[int] = ..., quality: _Optional[int] = ...) -> None: ...

class SignatureFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SignatureLook(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
