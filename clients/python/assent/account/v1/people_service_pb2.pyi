from assent.account.v1 import person_pb2 as _person_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CancelOnboardingRequest(_message.Message):
    __slots__ = ["onboarding_id"]
    ONBOARDING_ID_FIELD_NUMBER: _ClassVar[int]
    onboarding_id: str
    def __init__(self, onboarding_id: _Optional[str] = ...) -> None: ...

class CancelOnboardingResponse(_message.Message):
    __slots__ = ["onboarding"]
    ONBOARDING_FIELD_NUMBER: _ClassVar[int]
    onboarding: _person_pb2.Onboarding
    def __init__(self, onboarding: _Optional[_Union[_person_pb2.Onboarding, _Mapping]] = ...) -> None: ...

class CreateLinkCodeRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class CreateLinkCodeResponse(_message.Message):
    __slots__ = ["code", "expires_at"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    code: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, code: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FinishOnboardingRequest(_message.Message):
    __slots__ = ["onboarding_id", "passcode"]
    ONBOARDING_ID_FIELD_NUMBER: _ClassVar[int]
    PASSCODE_FIELD_NUMBER: _ClassVar[int]
    onboarding_id: str
    passcode: str
    def __init__(self, onboarding_id: _Optional[str] = ..., passcode: _Optional[str] = ...) -> None: ...

class FinishOnboardingResponse(_message.Message):
    __slots__ = ["onboarding", "recovery_code"]
    ONBOARDING_FIELD_NUMBER: _ClassVar[int]
    RECOVERY_CODE_FIELD_NUMBER: _ClassVar[int]
    onboarding: _person_pb2.Onboarding
    recovery_code: str
    def __init__(self, onboarding: _Optional[_Union[_person_pb2.Onboarding, _Mapping]] = ..., recovery_code: _Optional[str] = ...) -> None: ...

class GetProfileRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetProfileResponse(_message.Message):
    __slots__ = ["profile"]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    profile: _person_pb2.PersonProfile
    def __init__(self, profile: _Optional[_Union[_person_pb2.PersonProfile, _Mapping]] = ...) -> None: ...

class ListPeopleRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "query"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    query: str
    def __init__(self, query: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPeopleResponse(_message.Message):
    __slots__ = ["current", "next_page_token", "others"]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    current: _person_pb2.ListedPerson
    next_page_token: str
    others: _containers.RepeatedCompositeFieldContainer[_person_pb2.ListedPerson]
    def __init__(self, current: _Optional[_Union[_person_pb2.ListedPerson, _Mapping]] = ..., others: _Optional[_Iterable[_Union[_person_pb2.ListedPerson, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RemovePersonRequest(_message.Message):
    __slots__ = ["device_id", "person_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., device_id: _Optional[str] = ...) -> None: ...

class RemovePersonResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SelectPersonRequest(_message.Message):
    __slots__ = ["person_id"]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    person_id: str
    def __init__(self, person_id: _Optional[str] = ...) -> None: ...

class SelectPersonResponse(_message.Message):
    __slots__ = ["current"]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    current: _person_pb2.ListedPerson
    def __init__(self, current: _Optional[_Union[_person_pb2.ListedPerson, _Mapping]] = ...) -> None: ...

class SelfRegistration(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class StartOnboardingRequest(_message.Message):
    __slots__ = ["invitation_code", "link_code", "locale", "profile", "self_registration"]
    INVITATION_CODE_FIELD_NUMBER: _ClassVar[int]
    LINK_CODE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    SELF_REGISTRATION_FIELD_NUMBER: _ClassVar[int]
    invitation_code: str
    link_code: str
    locale: str
    profile: _person_pb2.PersonProfile
    self_registration: SelfRegistration
    def __init__(self, invitation_code: _Optional[str] = ..., link_code: _Optional[str] = ..., self_registration: _Optional[_Union[SelfRegistration, _Mapping]] = ..., profile: _Optional[_Union[_person_pb2.PersonProfile, _Mapping]] = ..., locale: _Optional[str] = ...) -> None: ...

class StartOnboardingResponse(_message.Message):
    __slots__ = ["onboarding"]
    ONBOARDING_FIELD_NUMBER: _ClassVar[int]
    onboarding: _person_pb2.Onboarding
    def __init__(self, onboarding: _Optional[_Union[_person_pb2.Onboarding, _Mapping]] = ...) -> None: ...

class UpdateProfileRequest(_message.Message):
    __slots__ = ["profile"]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    profile: _person_pb2.PersonProfile
    def __init__(self, profile: _Optional[_Union[_person_pb2.PersonProfile, _Mapping]] = ...) -> None: ...

class UpdateProfileResponse(_message.Message):
    __slots__ = ["profile"]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    profile: _person_pb2.PersonProfile
    def __init__(self, profile: _Optional[_Union[_person_pb2.PersonProfile, _Mapping]] = ...) -> None: ...
