from assent.consent.v1 import document_pb2 as _document_pb2
from assent.consent.v1 import record_pb2 as _record_pb2
from assent.consent.v1 import review_pb2 as _review_pb2
from assent.consent.v1 import screen_pb2 as _screen_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateAssetRequest(_message.Message):
    __slots__ = ["data", "kind"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    kind: _document_pb2.AssetKind
    def __init__(self, kind: _Optional[_Union[_document_pb2.AssetKind, str]] = ..., data: _Optional[bytes] = ...) -> None: ...

class CreateAssetResponse(_message.Message):
    __slots__ = ["hash", "pages", "removed"]
    HASH_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    hash: str
    pages: _containers.RepeatedCompositeFieldContainer[_document_pb2.FilePage]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    def __init__(self, hash: _Optional[str] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., pages: _Optional[_Iterable[_Union[_document_pb2.FilePage, _Mapping]]] = ...) -> None: ...

class CreateDocumentDraftRequest(_message.Message):
    __slots__ = ["document_id"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    def __init__(self, document_id: _Optional[str] = ...) -> None: ...

class CreateDocumentDraftResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class CreateDocumentRequest(_message.Message):
    __slots__ = ["content", "document_id", "name", "study_id"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    content: _document_pb2.DocumentContent
    document_id: str
    name: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., document_id: _Optional[str] = ..., name: _Optional[str] = ..., content: _Optional[_Union[_document_pb2.DocumentContent, _Mapping]] = ...) -> None: ...

class CreateDocumentResponse(_message.Message):
    __slots__ = ["problems", "removed", "version"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class DiffDocumentVersionsRequest(_message.Message):
    __slots__ = ["document_id", "from_version", "to_version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_VERSION_FIELD_NUMBER: _ClassVar[int]
    TO_VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    from_version: int
    to_version: int
    def __init__(self, document_id: _Optional[str] = ..., from_version: _Optional[int] = ..., to_version: _Optional[int] = ...) -> None: ...

class DiffDocumentVersionsResponse(_message.Message):
    __slots__ = ["changes"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_document_pb2.DocumentChange]
    def __init__(self, changes: _Optional[_Iterable[_Union[_document_pb2.DocumentChange, _Mapping]]] = ...) -> None: ...

class DiscardDocumentDraftRequest(_message.Message):
    __slots__ = ["document_id", "expected_revision"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    expected_revision: int
    def __init__(self, document_id: _Optional[str] = ..., expected_revision: _Optional[int] = ...) -> None: ...

class DiscardDocumentDraftResponse(_message.Message):
    __slots__ = ["document"]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    document: _document_pb2.ConsentDocument
    def __init__(self, document: _Optional[_Union[_document_pb2.ConsentDocument, _Mapping]] = ...) -> None: ...

class DocumentVersionSummary(_message.Message):
    __slots__ = ["counts", "ended_reason", "locales", "published_at", "state", "version", "version_hash"]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    ENDED_REASON_FIELD_NUMBER: _ClassVar[int]
    LOCALES_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSION_HASH_FIELD_NUMBER: _ClassVar[int]
    counts: _record_pb2.VersionCounts
    ended_reason: str
    locales: _containers.RepeatedScalarFieldContainer[str]
    published_at: _timestamp_pb2.Timestamp
    state: _document_pb2.VersionState
    version: int
    version_hash: str
    def __init__(self, version: _Optional[int] = ..., state: _Optional[_Union[_document_pb2.VersionState, str]] = ..., version_hash: _Optional[str] = ..., published_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., ended_reason: _Optional[str] = ..., locales: _Optional[_Iterable[str]] = ..., counts: _Optional[_Union[_record_pb2.VersionCounts, _Mapping]] = ...) -> None: ...

class ExportDocumentRequest(_message.Message):
    __slots__ = ["document_id", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class ExportDocumentResponse(_message.Message):
    __slots__ = ["file"]
    FILE_FIELD_NUMBER: _ClassVar[int]
    file: _document_pb2.DocumentFile
    def __init__(self, file: _Optional[_Union[_document_pb2.DocumentFile, _Mapping]] = ...) -> None: ...

class GetAssetRequest(_message.Message):
    __slots__ = ["hash", "ink_color", "predefined"]
    HASH_FIELD_NUMBER: _ClassVar[int]
    INK_COLOR_FIELD_NUMBER: _ClassVar[int]
    PREDEFINED_FIELD_NUMBER: _ClassVar[int]
    hash: str
    ink_color: str
    predefined: _document_pb2.SectionType
    def __init__(self, hash: _Optional[str] = ..., predefined: _Optional[_Union[_document_pb2.SectionType, str]] = ..., ink_color: _Optional[str] = ...) -> None: ...

class GetAssetResponse(_message.Message):
    __slots__ = ["asset"]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: _document_pb2.ConsentAsset
    def __init__(self, asset: _Optional[_Union[_document_pb2.ConsentAsset, _Mapping]] = ...) -> None: ...

class GetDocumentRequest(_message.Message):
    __slots__ = ["document_id", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class GetDocumentResponse(_message.Message):
    __slots__ = ["document", "version"]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document: _document_pb2.ConsentDocument
    version: _document_pb2.DocumentVersion
    def __init__(self, document: _Optional[_Union[_document_pb2.ConsentDocument, _Mapping]] = ..., version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class ImportDocumentRequest(_message.Message):
    __slots__ = ["file", "study_id"]
    FILE_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    file: _document_pb2.DocumentFile
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., file: _Optional[_Union[_document_pb2.DocumentFile, _Mapping]] = ...) -> None: ...

class ImportDocumentResponse(_message.Message):
    __slots__ = ["problems", "removed", "version"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class ListDocumentVersionsRequest(_message.Message):
    __slots__ = ["document_id", "page_size", "page_token", "test"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    page_size: int
    page_token: str
    test: bool
    def __init__(self, document_id: _Optional[str] = ..., test: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDocumentVersionsResponse(_message.Message):
    __slots__ = ["next_page_token", "versions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    versions: _containers.RepeatedCompositeFieldContainer[DocumentVersionSummary]
    def __init__(self, versions: _Optional[_Iterable[_Union[DocumentVersionSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListDocumentsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDocumentsResponse(_message.Message):
    __slots__ = ["documents", "next_page_token"]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedCompositeFieldContainer[_document_pb2.ConsentDocument]
    next_page_token: str
    def __init__(self, documents: _Optional[_Iterable[_Union[_document_pb2.ConsentDocument, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PagePicture(_message.Message):
    __slots__ = ["height", "picture", "text", "width"]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    height: int
    picture: bytes
    text: str
    width: int
    def __init__(self, picture: _Optional[bytes] = ..., text: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...

class PreviewDocumentCopyRequest(_message.Message):
    __slots__ = ["as_pictures", "document_id", "locale", "version"]
    AS_PICTURES_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    as_pictures: bool
    document_id: str
    locale: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., locale: _Optional[str] = ..., as_pictures: bool = ...) -> None: ...

class PreviewDocumentCopyResponse(_message.Message):
    __slots__ = ["content", "content_type", "pages"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    content_type: str
    pages: _containers.RepeatedCompositeFieldContainer[PagePicture]
    def __init__(self, content_type: _Optional[str] = ..., content: _Optional[bytes] = ..., pages: _Optional[_Iterable[_Union[PagePicture, _Mapping]]] = ...) -> None: ...

class PreviewDocumentRequest(_message.Message):
    __slots__ = ["document_id", "locale", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    locale: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., locale: _Optional[str] = ...) -> None: ...

class PreviewDocumentResponse(_message.Message):
    __slots__ = ["problems", "review", "screens"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REVIEW_FIELD_NUMBER: _ClassVar[int]
    SCREENS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    review: _review_pb2.ReviewDocument
    screens: _containers.RepeatedCompositeFieldContainer[_screen_pb2.ConsentScreen]
    def __init__(self, screens: _Optional[_Iterable[_Union[_screen_pb2.ConsentScreen, _Mapping]]] = ..., review: _Optional[_Union[_review_pb2.ReviewDocument, _Mapping]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class PublishDocumentDraftRequest(_message.Message):
    __slots__ = ["document_id", "expected_revision"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    expected_revision: int
    def __init__(self, document_id: _Optional[str] = ..., expected_revision: _Optional[int] = ...) -> None: ...

class PublishDocumentDraftResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class ReinstateDocumentVersionRequest(_message.Message):
    __slots__ = ["document_id", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class ReinstateDocumentVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class RetireDocumentVersionRequest(_message.Message):
    __slots__ = ["document_id", "reason", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    reason: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class RetireDocumentVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class SetDocumentTranslationRequest(_message.Message):
    __slots__ = ["document_id", "text", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    text: _document_pb2.DocumentText
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., text: _Optional[_Union[_document_pb2.DocumentText, _Mapping]] = ...) -> None: ...

class SetDocumentTranslationResponse(_message.Message):
    __slots__ = ["removed", "version"]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ...) -> None: ...

class StopDocumentVersionRequest(_message.Message):
    __slots__ = ["document_id", "reason", "version"]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    reason: str
    version: int
    def __init__(self, document_id: _Optional[str] = ..., version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class StopDocumentVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ...) -> None: ...

class UpdateDocumentDraftRequest(_message.Message):
    __slots__ = ["content", "document_id", "expected_revision"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    content: _document_pb2.DocumentContent
    document_id: str
    expected_revision: int
    def __init__(self, document_id: _Optional[str] = ..., expected_revision: _Optional[int] = ..., content: _Optional[_Union[_document_pb2.DocumentContent, _Mapping]] = ...) -> None: ...

class UpdateDocumentDraftResponse(_message.Message):
    __slots__ = ["problems", "removed", "version"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _document_pb2.DocumentVersion
    def __init__(self, version: _Optional[_Union[_document_pb2.DocumentVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class ValidateDocumentRequest(_message.Message):
    __slots__ = ["content", "document_id"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    content: _document_pb2.DocumentContent
    document_id: str
    def __init__(self, document_id: _Optional[str] = ..., content: _Optional[_Union[_document_pb2.DocumentContent, _Mapping]] = ...) -> None: ...

class ValidateDocumentResponse(_message.Message):
    __slots__ = ["problems", "removed"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    def __init__(self, problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ...) -> None: ...
