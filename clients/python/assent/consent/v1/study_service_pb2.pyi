from assent.consent.v1 import study_pb2 as _study_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CatalogText(_message.Message):
    __slots__ = ["key", "locale", "overridden", "text"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    OVERRIDDEN_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    key: str
    locale: str
    overridden: bool
    text: str
    def __init__(self, key: _Optional[str] = ..., text: _Optional[str] = ..., overridden: bool = ..., locale: _Optional[str] = ...) -> None: ...

class CreateInvitationRequest(_message.Message):
    __slots__ = ["birth_date", "invitation", "told_code"]
    BIRTH_DATE_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    TOLD_CODE_FIELD_NUMBER: _ClassVar[int]
    birth_date: _text_pb2.CalendarDate
    invitation: _study_pb2.StudyInvitation
    told_code: str
    def __init__(self, invitation: _Optional[_Union[_study_pb2.StudyInvitation, _Mapping]] = ..., told_code: _Optional[str] = ..., birth_date: _Optional[_Union[_text_pb2.CalendarDate, _Mapping]] = ...) -> None: ...

class CreateInvitationResponse(_message.Message):
    __slots__ = ["invitation"]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    invitation: _study_pb2.StudyInvitation
    def __init__(self, invitation: _Optional[_Union[_study_pb2.StudyInvitation, _Mapping]] = ...) -> None: ...

class CreateSiteRequest(_message.Message):
    __slots__ = ["site"]
    SITE_FIELD_NUMBER: _ClassVar[int]
    site: _study_pb2.StudySite
    def __init__(self, site: _Optional[_Union[_study_pb2.StudySite, _Mapping]] = ...) -> None: ...

class CreateSiteResponse(_message.Message):
    __slots__ = ["site"]
    SITE_FIELD_NUMBER: _ClassVar[int]
    site: _study_pb2.StudySite
    def __init__(self, site: _Optional[_Union[_study_pb2.StudySite, _Mapping]] = ...) -> None: ...

class CreateStudyRequest(_message.Message):
    __slots__ = ["study"]
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.ConsentStudy
    def __init__(self, study: _Optional[_Union[_study_pb2.ConsentStudy, _Mapping]] = ...) -> None: ...

class CreateStudyResponse(_message.Message):
    __slots__ = ["study"]
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.ConsentStudy
    def __init__(self, study: _Optional[_Union[_study_pb2.ConsentStudy, _Mapping]] = ...) -> None: ...

class GetStudyRequest(_message.Message):
    __slots__ = ["study_id"]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ...) -> None: ...

class GetStudyResponse(_message.Message):
    __slots__ = ["study"]
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.ConsentStudy
    def __init__(self, study: _Optional[_Union[_study_pb2.ConsentStudy, _Mapping]] = ...) -> None: ...

class GetTextsRequest(_message.Message):
    __slots__ = ["locale"]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    locale: str
    def __init__(self, locale: _Optional[str] = ...) -> None: ...

class GetTextsResponse(_message.Message):
    __slots__ = ["hash", "pending", "right_to_left", "texts", "version"]
    HASH_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    RIGHT_TO_LEFT_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    hash: str
    pending: _study_pb2.TextsVersion
    right_to_left: bool
    texts: _containers.RepeatedCompositeFieldContainer[CatalogText]
    version: int
    def __init__(self, texts: _Optional[_Iterable[_Union[CatalogText, _Mapping]]] = ..., right_to_left: bool = ..., version: _Optional[int] = ..., hash: _Optional[str] = ..., pending: _Optional[_Union[_study_pb2.TextsVersion, _Mapping]] = ...) -> None: ...

class ListGuardiansRequest(_message.Message):
    __slots__ = ["study_id", "subject_id"]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., subject_id: _Optional[str] = ...) -> None: ...

class ListGuardiansResponse(_message.Message):
    __slots__ = ["guardians"]
    GUARDIANS_FIELD_NUMBER: _ClassVar[int]
    guardians: _containers.RepeatedCompositeFieldContainer[_study_pb2.Guardian]
    def __init__(self, guardians: _Optional[_Iterable[_Union[_study_pb2.Guardian, _Mapping]]] = ...) -> None: ...

class ListInvitationsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInvitationsResponse(_message.Message):
    __slots__ = ["invitations", "next_page_token"]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyInvitation]
    next_page_token: str
    def __init__(self, invitations: _Optional[_Iterable[_Union[_study_pb2.StudyInvitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSitesRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSitesResponse(_message.Message):
    __slots__ = ["next_page_token", "sites"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SITES_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sites: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudySite]
    def __init__(self, sites: _Optional[_Iterable[_Union[_study_pb2.StudySite, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListStudiesRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListStudiesResponse(_message.Message):
    __slots__ = ["next_page_token", "studies"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDIES_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    studies: _containers.RepeatedCompositeFieldContainer[_study_pb2.ConsentStudy]
    def __init__(self, studies: _Optional[_Iterable[_Union[_study_pb2.ConsentStudy, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeInvitationRequest(_message.Message):
    __slots__ = ["code"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class RevokeInvitationResponse(_message.Message):
    __slots__ = ["invitation"]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    invitation: _study_pb2.StudyInvitation
    def __init__(self, invitation: _Optional[_Union[_study_pb2.StudyInvitation, _Mapping]] = ...) -> None: ...

class SetGuardianRequest(_message.Message):
    __slots__ = ["authority", "guardian_id", "majority_age", "removed", "site_id", "study_id", "subject_id"]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    GUARDIAN_ID_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_AGE_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    SITE_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    authority: _study_pb2.GuardianAuthority
    guardian_id: str
    majority_age: int
    removed: bool
    site_id: str
    study_id: str
    subject_id: str
    def __init__(self, study_id: _Optional[str] = ..., site_id: _Optional[str] = ..., subject_id: _Optional[str] = ..., guardian_id: _Optional[str] = ..., authority: _Optional[_Union[_study_pb2.GuardianAuthority, str]] = ..., removed: bool = ..., majority_age: _Optional[int] = ...) -> None: ...

class SetGuardianResponse(_message.Message):
    __slots__ = ["guardians"]
    GUARDIANS_FIELD_NUMBER: _ClassVar[int]
    guardians: _containers.RepeatedCompositeFieldContainer[_study_pb2.Guardian]
    def __init__(self, guardians: _Optional[_Iterable[_Union[_study_pb2.Guardian, _Mapping]]] = ...) -> None: ...

class SetTextsRequest(_message.Message):
    __slots__ = ["overrides"]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    overrides: _containers.RepeatedCompositeFieldContainer[_study_pb2.TextOverride]
    def __init__(self, overrides: _Optional[_Iterable[_Union[_study_pb2.TextOverride, _Mapping]]] = ...) -> None: ...

class SetTextsResponse(_message.Message):
    __slots__ = ["pending", "texts"]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    pending: _study_pb2.TextsVersion
    texts: _study_pb2.TextsVersion
    def __init__(self, texts: _Optional[_Union[_study_pb2.TextsVersion, _Mapping]] = ..., pending: _Optional[_Union[_study_pb2.TextsVersion, _Mapping]] = ...) -> None: ...

class UpdateSiteRequest(_message.Message):
    __slots__ = ["site"]
    SITE_FIELD_NUMBER: _ClassVar[int]
    site: _study_pb2.StudySite
    def __init__(self, site: _Optional[_Union[_study_pb2.StudySite, _Mapping]] = ...) -> None: ...

class UpdateSiteResponse(_message.Message):
    __slots__ = ["site"]
    SITE_FIELD_NUMBER: _ClassVar[int]
    site: _study_pb2.StudySite
    def __init__(self, site: _Optional[_Union[_study_pb2.StudySite, _Mapping]] = ...) -> None: ...

class UpdateStudyRequest(_message.Message):
    __slots__ = ["study"]
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.ConsentStudy
    def __init__(self, study: _Optional[_Union[_study_pb2.ConsentStudy, _Mapping]] = ...) -> None: ...

class UpdateStudyResponse(_message.Message):
    __slots__ = ["study"]
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.ConsentStudy
    def __init__(self, study: _Optional[_Union[_study_pb2.ConsentStudy, _Mapping]] = ...) -> None: ...
