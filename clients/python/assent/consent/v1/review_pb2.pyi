from assent.consent.v1 import document_pb2 as _document_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PAPER_SIZE_A4: PaperSize
PAPER_SIZE_LETTER: PaperSize
PAPER_SIZE_UNSPECIFIED: PaperSize

class ReviewDocument(_message.Message):
    __slots__ = ["footer", "hash", "html", "locale", "margin_pt", "paper", "right_to_left", "sections", "separate_html", "signature_page", "title"]
    FOOTER_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    MARGIN_PT_FIELD_NUMBER: _ClassVar[int]
    PAPER_FIELD_NUMBER: _ClassVar[int]
    RIGHT_TO_LEFT_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    SEPARATE_HTML_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_PAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    footer: str
    hash: str
    html: str
    locale: str
    margin_pt: int
    paper: PaperSize
    right_to_left: bool
    sections: _containers.RepeatedCompositeFieldContainer[ReviewSection]
    separate_html: str
    signature_page: SignaturePage
    title: str
    def __init__(self, locale: _Optional[str] = ..., right_to_left: bool = ..., title: _Optional[str] = ..., html: _Optional[str] = ..., hash: _Optional[str] = ..., sections: _Optional[_Iterable[_Union[ReviewSection, _Mapping]]] = ..., separate_html: _Optional[str] = ..., signature_page: _Optional[_Union[SignaturePage, _Mapping]] = ..., paper: _Optional[_Union[PaperSize, str]] = ..., margin_pt: _Optional[int] = ..., footer: _Optional[str] = ...) -> None: ...

class ReviewSection(_message.Message):
    __slots__ = ["heading", "html", "section_id", "type"]
    HEADING_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    SECTION_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    heading: str
    html: str
    section_id: str
    type: _document_pb2.SectionType
    def __init__(self, section_id: _Optional[str] = ..., type: _Optional[_Union[_document_pb2.SectionType, str]] = ..., heading: _Optional[str] = ..., html: _Optional[str] = ...) -> None: ...

class SignatureBlock(_message.Message):
    __slots__ = ["image_hash", "meaning", "printed_name", "printed_time", "role", "shows_date", "shows_image", "shows_name", "signature_id", "signed_at", "title", "typed"]
    IMAGE_HASH_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    PRINTED_TIME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SHOWS_DATE_FIELD_NUMBER: _ClassVar[int]
    SHOWS_IMAGE_FIELD_NUMBER: _ClassVar[int]
    SHOWS_NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNED_AT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    image_hash: str
    meaning: str
    printed_name: str
    printed_time: str
    role: _document_pb2.SignerRole
    shows_date: bool
    shows_image: bool
    shows_name: bool
    signature_id: str
    signed_at: _timestamp_pb2.Timestamp
    title: str
    typed: str
    def __init__(self, signature_id: _Optional[str] = ..., role: _Optional[_Union[_document_pb2.SignerRole, str]] = ..., title: _Optional[str] = ..., meaning: _Optional[str] = ..., shows_image: bool = ..., shows_name: bool = ..., shows_date: bool = ..., printed_name: _Optional[str] = ..., typed: _Optional[str] = ..., image_hash: _Optional[str] = ..., signed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., printed_time: _Optional[str] = ...) -> None: ...

class SignaturePage(_message.Message):
    __slots__ = ["blocks", "content", "title"]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[SignatureBlock]
    content: str
    title: str
    def __init__(self, title: _Optional[str] = ..., content: _Optional[str] = ..., blocks: _Optional[_Iterable[_Union[SignatureBlock, _Mapping]]] = ...) -> None: ...

class PaperSize(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
