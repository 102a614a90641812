from assent.account.v1 import api_key_pb2 as _api_key_pb2
from assent.account.v1 import device_pb2 as _device_pb2
from assent.account.v1 import event_pb2 as _event_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
IDENTITY_CHECK_DISCOVERY: IdentityCheck
IDENTITY_CHECK_KEYS: IdentityCheck
IDENTITY_CHECK_KEYS_ADDRESS: IdentityCheck
IDENTITY_CHECK_SECRET: IdentityCheck
IDENTITY_CHECK_UNSPECIFIED: IdentityCheck

class AccountEntry(_message.Message):
    __slots__ = ["device_ids", "erased", "locked", "merged_into", "person_id", "roles", "title"]
    DEVICE_IDS_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    LOCKED_FIELD_NUMBER: _ClassVar[int]
    MERGED_INTO_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    device_ids: _containers.RepeatedScalarFieldContainer[str]
    erased: bool
    locked: bool
    merged_into: str
    person_id: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    title: str
    def __init__(self, person_id: _Optional[str] = ..., title: _Optional[str] = ..., device_ids: _Optional[_Iterable[str]] = ..., roles: _Optional[_Iterable[str]] = ..., locked: bool = ..., merged_into: _Optional[str] = ..., erased: bool = ...) -> None: ...

class CreateAccountInvitationRequest(_message.Message):
    __slots__ = ["new_person_id", "person_id"]
    NEW_PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    new_person_id: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., new_person_id: _Optional[str] = ...) -> None: ...

class CreateAccountInvitationResponse(_message.Message):
    __slots__ = ["code", "expires_at"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    code: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, code: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EraseAccountRequest(_message.Message):
    __slots__ = ["check_roles_only", "person_id"]
    CHECK_ROLES_ONLY_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    check_roles_only: bool
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., check_roles_only: bool = ...) -> None: ...

class EraseAccountResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetAccountFindingsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetAccountFindingsResponse(_message.Message):
    __slots__ = ["problems"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, problems: _Optional[_Iterable[str]] = ...) -> None: ...

class GetAccountSettingsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetAccountSettingsResponse(_message.Message):
    __slots__ = ["settings"]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _device_pb2.AccountSettings
    def __init__(self, settings: _Optional[_Union[_device_pb2.AccountSettings, _Mapping]] = ...) -> None: ...

class GrantRoleRequest(_message.Message):
    __slots__ = ["person_id", "role"]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    person_id: str
    role: str
    def __init__(self, person_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class GrantRoleResponse(_message.Message):
    __slots__ = ["roles"]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, roles: _Optional[_Iterable[str]] = ...) -> None: ...

class HoldAccountRequest(_message.Message):
    __slots__ = ["held", "person_id", "reason"]
    HELD_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    held: bool
    person_id: str
    reason: str
    def __init__(self, person_id: _Optional[str] = ..., held: bool = ..., reason: _Optional[str] = ...) -> None: ...

class HoldAccountResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class IdentityFinding(_message.Message):
    __slots__ = ["check", "message", "right"]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    check: IdentityCheck
    message: str
    right: bool
    def __init__(self, check: _Optional[_Union[IdentityCheck, str]] = ..., right: bool = ..., message: _Optional[str] = ...) -> None: ...

class ListAccountEventsRequest(_message.Message):
    __slots__ = ["changes_only", "page_size", "page_token"]
    CHANGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    changes_only: bool
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., changes_only: bool = ...) -> None: ...

class ListAccountEventsResponse(_message.Message):
    __slots__ = ["events", "next_page_token"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.AccountEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_event_pb2.AccountEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListAccountHeadsRequest(_message.Message):
    __slots__ = ["after_size", "page_size"]
    AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    after_size: int
    page_size: int
    def __init__(self, after_size: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListAccountHeadsResponse(_message.Message):
    __slots__ = ["heads", "next_after_size"]
    HEADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_AFTER_SIZE_FIELD_NUMBER: _ClassVar[int]
    heads: _containers.RepeatedScalarFieldContainer[str]
    next_after_size: int
    def __init__(self, heads: _Optional[_Iterable[str]] = ..., next_after_size: _Optional[int] = ...) -> None: ...

class ListAccountsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAccountsResponse(_message.Message):
    __slots__ = ["accounts", "next_page_token"]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[AccountEntry]
    next_page_token: str
    def __init__(self, accounts: _Optional[_Iterable[_Union[AccountEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListDevicesRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "waiting"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    waiting: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., waiting: bool = ...) -> None: ...

class ListDevicesResponse(_message.Message):
    __slots__ = ["devices", "next_page_token"]
    DEVICES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    devices: _containers.RepeatedCompositeFieldContainer[_device_pb2.AccountDevice]
    next_page_token: str
    def __init__(self, devices: _Optional[_Iterable[_Union[_device_pb2.AccountDevice, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class MergePeopleRequest(_message.Message):
    __slots__ = ["into_person_id", "person_id"]
    INTO_PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    into_person_id: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., into_person_id: _Optional[str] = ...) -> None: ...

class MergePeopleResponse(_message.Message):
    __slots__ = ["account"]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: AccountEntry
    def __init__(self, account: _Optional[_Union[AccountEntry, _Mapping]] = ...) -> None: ...

class ResetPasscodeRequest(_message.Message):
    __slots__ = ["device_id", "person_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., device_id: _Optional[str] = ...) -> None: ...

class ResetPasscodeResponse(_message.Message):
    __slots__ = ["passcode"]
    PASSCODE_FIELD_NUMBER: _ClassVar[int]
    passcode: str
    def __init__(self, passcode: _Optional[str] = ...) -> None: ...

class RevokeRoleRequest(_message.Message):
    __slots__ = ["person_id", "role"]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    person_id: str
    role: str
    def __init__(self, person_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class RevokeRoleResponse(_message.Message):
    __slots__ = ["roles"]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, roles: _Optional[_Iterable[str]] = ...) -> None: ...

class SetAccountSettingsRequest(_message.Message):
    __slots__ = ["settings"]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _device_pb2.AccountSettings
    def __init__(self, settings: _Optional[_Union[_device_pb2.AccountSettings, _Mapping]] = ...) -> None: ...

class SetAccountSettingsResponse(_message.Message):
    __slots__ = ["settings"]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _device_pb2.AccountSettings
    def __init__(self, settings: _Optional[_Union[_device_pb2.AccountSettings, _Mapping]] = ...) -> None: ...

class SetIdentitySecretRequest(_message.Message):
    __slots__ = ["client_secret", "issuer"]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    client_secret: str
    issuer: str
    def __init__(self, issuer: _Optional[str] = ..., client_secret: _Optional[str] = ...) -> None: ...

class SetIdentitySecretResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetPersonLockRequest(_message.Message):
    __slots__ = ["locked", "person_id"]
    LOCKED_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    locked: bool
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., locked: bool = ...) -> None: ...

class SetPersonLockResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class TenantState(_message.Message):
    __slots__ = ["disabled", "tenant"]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    disabled: bool
    tenant: str
    def __init__(self, tenant: _Optional[str] = ..., disabled: bool = ...) -> None: ...

class TryIdentityIssuerRequest(_message.Message):
    __slots__ = ["issuer"]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    def __init__(self, issuer: _Optional[str] = ...) -> None: ...

class TryIdentityIssuerResponse(_message.Message):
    __slots__ = ["findings"]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    findings: _containers.RepeatedCompositeFieldContainer[IdentityFinding]
    def __init__(self, findings: _Optional[_Iterable[_Union[IdentityFinding, _Mapping]]] = ...) -> None: ...

class WatchRevocationsRequest(_message.Message):
    __slots__ = ["question"]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    question: int
    def __init__(self, question: _Optional[int] = ...) -> None: ...

class WatchRevocationsResponse(_message.Message):
    __slots__ = ["answered", "api_key_sets", "complete", "jwks", "revocations", "tenant_states"]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    API_KEY_SETS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    JWKS_FIELD_NUMBER: _ClassVar[int]
    REVOCATIONS_FIELD_NUMBER: _ClassVar[int]
    TENANT_STATES_FIELD_NUMBER: _ClassVar[int]
    answered: int
    api_key_sets: _containers.RepeatedCompositeFieldContainer[_api_key_pb2.ApiKeySet]
    complete: bool
    jwks: str
    revocations: _containers.RepeatedCompositeFieldContainer[_event_pb2.Revocation]
    tenant_states: _containers.RepeatedCompositeFieldContainer[TenantState]
    def __init__(self, revocations: _Optional[_Iterable[_Union[_event_pb2.Revocation, _Mapping]]] = ..., jwks: _Optional[str] = ..., api_key_sets: _Optional[_Iterable[_Union[_api_key_pb2.ApiKeySet, _Mapping]]] = ..., complete: bool = ..., tenant_states: _Optional[_Iterable[_Union[TenantState, _Mapping]]] = ..., answered: _Optional[int] = ...) -> None: ...

class WipeDeviceRequest(_message.Message):
    __slots__ = ["device_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    def __init__(self, device_id: _Optional[str] = ...) -> None: ...

class WipeDeviceResponse(_message.Message):
    __slots__ = ["device"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    device: _device_pb2.AccountDevice
    def __init__(self, device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ...) -> None: ...

class IdentityCheck(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
