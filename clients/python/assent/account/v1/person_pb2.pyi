from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
ONBOARDING_STATE_CONSENT: OnboardingState
ONBOARDING_STATE_DONE: OnboardingState
ONBOARDING_STATE_ENDED: OnboardingState
ONBOARDING_STATE_PASSCODE: OnboardingState
ONBOARDING_STATE_UNSPECIFIED: OnboardingState

class ListedPerson(_message.Message):
    __slots__ = ["last_sign_in_at", "person_id", "profile"]
    LAST_SIGN_IN_AT_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    last_sign_in_at: _timestamp_pb2.Timestamp
    person_id: str
    profile: PersonProfile
    def __init__(self, person_id: _Optional[str] = ..., profile: _Optional[_Union[PersonProfile, _Mapping]] = ..., last_sign_in_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Onboarding(_message.Message):
    __slots__ = ["consent_session_id", "expires_at", "onboarding_id", "person_id", "state"]
    CONSENT_SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ONBOARDING_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    consent_session_id: str
    expires_at: _timestamp_pb2.Timestamp
    onboarding_id: str
    person_id: str
    state: OnboardingState
    def __init__(self, onboarding_id: _Optional[str] = ..., person_id: _Optional[str] = ..., state: _Optional[_Union[OnboardingState, str]] = ..., consent_session_id: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PersonProfile(_message.Message):
    __slots__ = ["initials", "items", "picture", "revision", "subtitle", "title"]
    INITIALS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SUBTITLE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    initials: str
    items: _containers.RepeatedCompositeFieldContainer[ProfileItem]
    picture: bytes
    revision: int
    subtitle: str
    title: str
    def __init__(self, title: _Optional[str] = ..., subtitle: _Optional[str] = ..., items: _Optional[_Iterable[_Union[ProfileItem, _Mapping]]] = ..., picture: _Optional[bytes] = ..., initials: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class ProfileItem(_message.Message):
    __slots__ = ["label", "value"]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    label: str
    value: str
    def __init__(self, label: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class OnboardingState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
