from assent.account.v1 import identity_pb2 as _identity_pb2
from assent.account.v1 import sync_pb2 as _sync_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PROFILE_FIELD_ITEMS: ProfileField
PROFILE_FIELD_PICTURE: ProfileField
PROFILE_FIELD_SUBTITLE: ProfileField
PROFILE_FIELD_TITLE: ProfileField
PROFILE_FIELD_UNSPECIFIED: ProfileField

class AccountDevice(_message.Message):
    __slots__ = ["device_id", "name", "public_key", "registered_at", "single_user", "waiting", "wiped_at"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_AT_FIELD_NUMBER: _ClassVar[int]
    SINGLE_USER_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WIPED_AT_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    name: str
    public_key: bytes
    registered_at: _timestamp_pb2.Timestamp
    single_user: bool
    waiting: _containers.RepeatedCompositeFieldContainer[WaitingWork]
    wiped_at: _timestamp_pb2.Timestamp
    def __init__(self, device_id: _Optional[str] = ..., name: _Optional[str] = ..., public_key: _Optional[bytes] = ..., single_user: bool = ..., registered_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., wiped_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., waiting: _Optional[_Iterable[_Union[WaitingWork, _Mapping]]] = ...) -> None: ...

class AccountSettings(_message.Message):
    __slots__ = ["application", "auto_lock", "identity_issuers", "offline_lifetime", "onboarding_flow_id", "passcode_policy", "revision", "self_registration", "upload_at_switch", "upload_lifetime", "view_texts", "visible_fields"]
    APPLICATION_FIELD_NUMBER: _ClassVar[int]
    AUTO_LOCK_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_ISSUERS_FIELD_NUMBER: _ClassVar[int]
    OFFLINE_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    ONBOARDING_FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    PASSCODE_POLICY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SELF_REGISTRATION_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_AT_SWITCH_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    VIEW_TEXTS_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_FIELDS_FIELD_NUMBER: _ClassVar[int]
    application: ApplicationDetails
    auto_lock: _duration_pb2.Duration
    identity_issuers: _containers.RepeatedCompositeFieldContainer[_identity_pb2.IdentityIssuer]
    offline_lifetime: _duration_pb2.Duration
    onboarding_flow_id: str
    passcode_policy: PasscodePolicy
    revision: int
    self_registration: bool
    upload_at_switch: bool
    upload_lifetime: _duration_pb2.Duration
    view_texts: _containers.RepeatedCompositeFieldContainer[AccountViewText]
    visible_fields: _containers.RepeatedScalarFieldContainer[ProfileField]
    def __init__(self, application: _Optional[_Union[ApplicationDetails, _Mapping]] = ..., self_registration: bool = ..., onboarding_flow_id: _Optional[str] = ..., visible_fields: _Optional[_Iterable[_Union[ProfileField, str]]] = ..., passcode_policy: _Optional[_Union[PasscodePolicy, _Mapping]] = ..., auto_lock: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., upload_at_switch: bool = ..., offline_lifetime: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., upload_lifetime: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., identity_issuers: _Optional[_Iterable[_Union[_identity_pb2.IdentityIssuer, _Mapping]]] = ..., view_texts: _Optional[_Iterable[_Union[AccountViewText, _Mapping]]] = ..., revision: _Optional[int] = ...) -> None: ...

class AccountText(_message.Message):
    __slots__ = ["locale", "text"]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    locale: str
    text: str
    def __init__(self, locale: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class AccountViewText(_message.Message):
    __slots__ = ["key", "locale", "text"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    key: str
    locale: str
    text: str
    def __init__(self, locale: _Optional[str] = ..., key: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ApplicationDetails(_message.Message):
    __slots__ = ["logo", "titles"]
    LOGO_FIELD_NUMBER: _ClassVar[int]
    TITLES_FIELD_NUMBER: _ClassVar[int]
    logo: bytes
    titles: _containers.RepeatedCompositeFieldContainer[AccountText]
    def __init__(self, titles: _Optional[_Iterable[_Union[AccountText, _Mapping]]] = ..., logo: _Optional[bytes] = ...) -> None: ...

class PasscodePolicy(_message.Message):
    __slots__ = ["denied", "digits_only", "needs_digit", "needs_lower", "needs_symbol", "needs_upper", "shortest"]
    DENIED_FIELD_NUMBER: _ClassVar[int]
    DIGITS_ONLY_FIELD_NUMBER: _ClassVar[int]
    NEEDS_DIGIT_FIELD_NUMBER: _ClassVar[int]
    NEEDS_LOWER_FIELD_NUMBER: _ClassVar[int]
    NEEDS_SYMBOL_FIELD_NUMBER: _ClassVar[int]
    NEEDS_UPPER_FIELD_NUMBER: _ClassVar[int]
    SHORTEST_FIELD_NUMBER: _ClassVar[int]
    denied: _containers.RepeatedScalarFieldContainer[str]
    digits_only: bool
    needs_digit: bool
    needs_lower: bool
    needs_symbol: bool
    needs_upper: bool
    shortest: int
    def __init__(self, shortest: _Optional[int] = ..., digits_only: bool = ..., needs_upper: bool = ..., needs_lower: bool = ..., needs_digit: bool = ..., needs_symbol: bool = ..., denied: _Optional[_Iterable[str]] = ...) -> None: ...

class WaitingWork(_message.Message):
    __slots__ = ["person_id", "rule", "since", "step"]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    person_id: str
    rule: str
    since: _timestamp_pb2.Timestamp
    step: _sync_pb2.BlockedStep
    def __init__(self, person_id: _Optional[str] = ..., rule: _Optional[str] = ..., step: _Optional[_Union[_sync_pb2.BlockedStep, str]] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ProfileField(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
