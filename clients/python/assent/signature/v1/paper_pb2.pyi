from assent.signature.v1 import ink_pb2 as _ink_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
DOCUMENT_VERDICT_INDETERMINATE: DocumentVerdict
DOCUMENT_VERDICT_TOTAL_FAILED: DocumentVerdict
DOCUMENT_VERDICT_TOTAL_PASSED: DocumentVerdict
DOCUMENT_VERDICT_UNSPECIFIED: DocumentVerdict
PAPER_SHEET_A4: PaperSheet
PAPER_SHEET_LETTER: PaperSheet
PAPER_SHEET_UNSPECIFIED: PaperSheet

class AddSealTimeRequest(_message.Message):
    __slots__ = ["signature"]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    signature: bytes
    def __init__(self, signature: _Optional[bytes] = ...) -> None: ...

class AddSealTimeResponse(_message.Message):
    __slots__ = ["level", "signature", "time_problem"]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    TIME_PROBLEM_FIELD_NUMBER: _ClassVar[int]
    level: str
    signature: bytes
    time_problem: str
    def __init__(self, signature: _Optional[bytes] = ..., level: _Optional[str] = ..., time_problem: _Optional[str] = ...) -> None: ...

class AttestDocumentRequest(_message.Message):
    __slots__ = ["digest"]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    digest: bytes
    def __init__(self, digest: _Optional[bytes] = ...) -> None: ...

class AttestDocumentResponse(_message.Message):
    __slots__ = ["problem", "token"]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    problem: str
    token: bytes
    def __init__(self, token: _Optional[bytes] = ..., problem: _Optional[str] = ...) -> None: ...

class ComposeDocumentRequest(_message.Message):
    __slots__ = ["paper"]
    PAPER_FIELD_NUMBER: _ClassVar[int]
    paper: Paper
    def __init__(self, paper: _Optional[_Union[Paper, _Mapping]] = ...) -> None: ...

class ComposeDocumentResponse(_message.Message):
    __slots__ = ["content", "content_type"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    def __init__(self, content: _Optional[bytes] = ..., content_type: _Optional[str] = ...) -> None: ...

class FindSealProofsRequest(_message.Message):
    __slots__ = ["signature"]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    signature: bytes
    def __init__(self, signature: _Optional[bytes] = ...) -> None: ...

class FindSealProofsResponse(_message.Message):
    __slots__ = ["answers", "certificates", "lists", "problem"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    LISTS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedScalarFieldContainer[bytes]
    certificates: _containers.RepeatedScalarFieldContainer[bytes]
    lists: _containers.RepeatedScalarFieldContainer[bytes]
    problem: str
    def __init__(self, certificates: _Optional[_Iterable[bytes]] = ..., lists: _Optional[_Iterable[bytes]] = ..., answers: _Optional[_Iterable[bytes]] = ..., problem: _Optional[str] = ...) -> None: ...

class GetSealCertificateRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetSealCertificateResponse(_message.Message):
    __slots__ = ["issuer", "problem", "subject", "valid_from", "valid_until"]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    problem: str
    subject: str
    valid_from: _timestamp_pb2.Timestamp
    valid_until: _timestamp_pb2.Timestamp
    def __init__(self, subject: _Optional[str] = ..., issuer: _Optional[str] = ..., valid_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., valid_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., problem: _Optional[str] = ...) -> None: ...

class Paper(_message.Message):
    __slots__ = ["attachments", "author", "created_at", "footer", "header", "language", "margin_pt", "pictures", "sealable", "sections", "separate_html", "sheet", "signature_content", "signature_title", "signature_title_language", "signatures", "title", "verification_address", "watermark"]
    ATTACHMENTS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FOOTER_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    MARGIN_PT_FIELD_NUMBER: _ClassVar[int]
    PICTURES_FIELD_NUMBER: _ClassVar[int]
    SEALABLE_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    SEPARATE_HTML_FIELD_NUMBER: _ClassVar[int]
    SHEET_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_TITLE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_TITLE_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    WATERMARK_FIELD_NUMBER: _ClassVar[int]
    attachments: _containers.RepeatedCompositeFieldContainer[PaperAttachment]
    author: str
    created_at: _timestamp_pb2.Timestamp
    footer: str
    header: str
    language: str
    margin_pt: int
    pictures: _containers.RepeatedCompositeFieldContainer[PaperPicture]
    sealable: bool
    sections: _containers.RepeatedCompositeFieldContainer[PaperSection]
    separate_html: str
    sheet: PaperSheet
    signature_content: str
    signature_title: str
    signature_title_language: str
    signatures: _containers.RepeatedCompositeFieldContainer[PaperSignature]
    title: str
    verification_address: str
    watermark: str
    def __init__(self, title: _Optional[str] = ..., language: _Optional[str] = ..., sheet: _Optional[_Union[PaperSheet, str]] = ..., margin_pt: _Optional[int] = ..., sections: _Optional[_Iterable[_Union[PaperSection, _Mapping]]] = ..., separate_html: _Optional[str] = ..., signature_title: _Optional[str] = ..., signature_content: _Optional[str] = ..., signatures: _Optional[_Iterable[_Union[PaperSignature, _Mapping]]] = ..., header: _Optional[str] = ..., footer: _Optional[str] = ..., watermark: _Optional[str] = ..., pictures: _Optional[_Iterable[_Union[PaperPicture, _Mapping]]] = ..., attachments: _Optional[_Iterable[_Union[PaperAttachment, _Mapping]]] = ..., author: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., verification_address: _Optional[str] = ..., sealable: bool = ..., signature_title_language: _Optional[str] = ...) -> None: ...

class PaperAttachment(_message.Message):
    __slots__ = ["data", "description", "media_type", "name"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    description: str
    media_type: str
    name: str
    def __init__(self, name: _Optional[str] = ..., media_type: _Optional[str] = ..., description: _Optional[str] = ..., data: _Optional[bytes] = ...) -> None: ...

class PaperPicture(_message.Message):
    __slots__ = ["data", "name"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    name: str
    def __init__(self, name: _Optional[str] = ..., data: _Optional[bytes] = ...) -> None: ...

class PaperSection(_message.Message):
    __slots__ = ["heading", "heading_language", "html"]
    HEADING_FIELD_NUMBER: _ClassVar[int]
    HEADING_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    heading: str
    heading_language: str
    html: str
    def __init__(self, heading: _Optional[str] = ..., html: _Optional[str] = ..., heading_language: _Optional[str] = ...) -> None: ...

class PaperSignature(_message.Message):
    __slots__ = ["blob", "meaning", "printed_name", "printed_time", "role", "role_language", "shows_image", "shows_name", "time_language", "title", "typed"]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    PRINTED_NAME_FIELD_NUMBER: _ClassVar[int]
    PRINTED_TIME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    ROLE_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SHOWS_IMAGE_FIELD_NUMBER: _ClassVar[int]
    SHOWS_NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    blob: bytes
    meaning: str
    printed_name: str
    printed_time: str
    role: str
    role_language: str
    shows_image: bool
    shows_name: bool
    time_language: str
    title: str
    typed: _ink_pb2.TypedName
    def __init__(self, title: _Optional[str] = ..., role: _Optional[str] = ..., meaning: _Optional[str] = ..., printed_name: _Optional[str] = ..., printed_time: _Optional[str] = ..., blob: _Optional[bytes] = ..., typed: _Optional[_Union[_ink_pb2.TypedName, _Mapping]] = ..., shows_image: bool = ..., shows_name: bool = ..., role_language: _Optional[str] = ..., time_language: _Optional[str] = ...) -> None: ...

class SealDocumentRequest(_message.Message):
    __slots__ = ["digest"]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    digest: bytes
    def __init__(self, digest: _Optional[bytes] = ...) -> None: ...

class SealDocumentResponse(_message.Message):
    __slots__ = ["level", "sealed_by", "signature", "time_problem"]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SEALED_BY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    TIME_PROBLEM_FIELD_NUMBER: _ClassVar[int]
    level: str
    sealed_by: str
    signature: bytes
    time_problem: str
    def __init__(self, signature: _Optional[bytes] = ..., level: _Optional[str] = ..., time_problem: _Optional[str] = ..., sealed_by: _Optional[str] = ...) -> None: ...

class VerifyDocumentRequest(_message.Message):
    __slots__ = ["content", "trusted_certificates"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    trusted_certificates: bytes
    def __init__(self, content: _Optional[bytes] = ..., trusted_certificates: _Optional[bytes] = ...) -> None: ...

class VerifyDocumentResponse(_message.Message):
    __slots__ = ["lines", "report", "subindication", "verdict"]
    LINES_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    SUBINDICATION_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    report: str
    subindication: str
    verdict: DocumentVerdict
    def __init__(self, verdict: _Optional[_Union[DocumentVerdict, str]] = ..., report: _Optional[str] = ..., lines: _Optional[_Iterable[str]] = ..., subindication: _Optional[str] = ...) -> None: ...

class PaperSheet(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DocumentVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
